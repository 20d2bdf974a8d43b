// The graph of a game: South's final lead with best play, by move.

import { signed } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 132;
const MARGIN = { left: 34, right: 10, top: 10, bottom: 10 };

function make(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent.append(element);
  return element;
}

export class Graph {
  /** Creates a graph in this element; a click calls `onPly` with the ply. */
  constructor(parent, onPly) {
    this.parent = parent;
    this.svg = make("svg", { role: "img", height: HEIGHT }, parent);
    this.svg.addEventListener("click", (event) => {
      const x = event.clientX - this.svg.getBoundingClientRect().left;
      const ply = Math.round((x - MARGIN.left) / this.step);
      if (this.game) onPly(Math.min(Math.max(ply, 0), this.game.positions.length - 1));
    });
    new ResizeObserver(() => this.draw()).observe(parent);
  }

  /** Shows a game at a ply; `emptyText` is shown if no value is known. */
  show(game, ply, emptyText) {
    this.game = game;
    this.ply = ply;
    this.emptyText = emptyText;
    this.draw();
  }

  draw() {
    if (!this.game) return;
    const { positions } = this.game;
    const width = Math.max(this.parent.clientWidth, 200);
    const inner = { width: width - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom };
    const lead = positions.map(({ stores }) => stores.south - stores.north);
    const net = positions.map((position) => position.net);
    const most = Math.max(4, ...lead.map(Math.abs), ...net.map((value) => Math.abs(value ?? 0)));
    // Short games do not fill the width.
    this.step = inner.width / Math.max(positions.length - 1, 12);
    const x = (ply) => MARGIN.left + ply * this.step;
    const y = (value) => MARGIN.top + inner.height * (0.5 - value / (2 * most));

    this.svg.replaceChildren();
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.svg.setAttribute("aria-label", this.summary(net));
    for (const value of [most, 0, -most]) {
      make("line", { class: "grid", x1: MARGIN.left, x2: width - MARGIN.right, y1: y(value), y2: y(value) }, this.svg);
      const text = make("text", { x: MARGIN.left - 6, y: y(value) + 4, "text-anchor": "end" }, this.svg);
      text.textContent = signed(value);
    }
    make("line", { class: "now", x1: x(this.ply), x2: x(this.ply), y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom }, this.svg);
    const points = (values) => values.map((value, ply) => `${x(ply).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    make("polyline", { class: "taken", points: points(lead) }, this.svg);
    for (const run of runs(net)) {
      const path = run.map(({ ply, value }) => `${x(ply).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
      make("polyline", { class: "best", points: path }, this.svg);
    }
    if (!net.some((value) => value !== null)) {
      const text = make("text", { x: MARGIN.left + inner.width / 2, y: y(most / 2) + 5, "text-anchor": "middle" }, this.svg);
      text.textContent = this.emptyText;
    }
    net.forEach((value, ply) => {
      if (value === null) return;
      const shown = ply === this.ply;
      make("circle", { class: shown ? "point shown" : "point", cx: x(ply), cy: y(value), r: shown ? 5 : 2.5 }, this.svg);
    });
  }

  /** A description of the graph for screen readers. */
  summary(net) {
    const known = net.filter((value) => value !== null);
    if (known.length === 0) return `Graph of the game. ${this.emptyText}`;
    const now = net[this.ply];
    const here = now === null ? "not known here" : `${signed(now)} here`;
    return `Graph of the game: South's final lead with best play is ${here}, ${signed(known.at(-1))} at the end.`;
  }
}

/** The runs of consecutive known values. */
function runs(values) {
  const found = [];
  values.forEach((value, ply) => {
    if (value === null) return;
    const before = found.at(-1)?.at(-1);
    if (before?.ply === ply - 1) found.at(-1).push({ ply, value });
    else found.push([{ ply, value }]);
  });
  return found;
}

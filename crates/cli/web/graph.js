// The graph of a game: South's final lead by move, exact or estimated. Pointing at it tells the
// value of a move; it is a slider for the keyboard.

import { moveText, numberOf } from "./move-list.js";
import { leadText, signed, text } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";
/** Height and margins in units of the font size. */
const HEIGHT = 10;
const MARGIN = { left: 3.4, right: 0.8, top: 0.8, bottom: 0.8 };
/** Short games do not fill the width: it is for at least this many plies. */
const MIN_PLIES = 12;

function make(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent.append(element);
  return element;
}

export class Graph {
  /** Creates a graph in this element; a click is for the ply in its place. The keys that step
   * through a game move the slider. */
  constructor(parent) {
    this.parent = parent;
    this.game = null;
    /** The ply under the pointer, or null. */
    this.pointed = null;
    this.svg = make("svg", { "data-action": "ply", role: "slider", tabindex: 0, "aria-orientation": "horizontal", "aria-valuemin": 0 }, parent);
    this.tip = document.createElement("p");
    this.tip.className = "tip";
    this.tip.ariaHidden = "true";
    this.tip.hidden = true;
    parent.append(this.tip);
    this.svg.addEventListener("click", (event) => { this.svg.dataset.ply = this.game ? this.plyAt(event) : ""; });
    this.svg.addEventListener("pointermove", (event) => this.point(this.game ? this.plyAt(event) : null));
    this.svg.addEventListener("pointerleave", () => this.point(null));
    new ResizeObserver(() => this.draw()).observe(parent);
  }

  /** The ply at the place of an event. */
  plyAt(event) {
    const x = event.clientX - this.svg.getBoundingClientRect().left;
    const ply = Math.round((x - this.left) / this.step);
    return Math.min(Math.max(ply, 0), this.game.positions.length - 1);
  }

  /** Tells the value at a ply, or hides it. */
  point(ply) {
    this.pointed = ply;
    this.tip.hidden = ply === null;
    if (ply === null) return;
    this.tip.textContent = this.told(ply);
    const room = this.parent.clientWidth - this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(0, Math.min(this.left + ply * this.step - this.tip.offsetWidth / 2, room))}px`;
  }

  /** The move that leads to a ply, and South's final lead after it. */
  told(ply) {
    const { turn } = this.game.positions[ply];
    const lead = this.leads[ply];
    const value = lead ? leadText(lead.net, lead.exact) : text.graph.notKnownHere;
    return turn ? text.graph.move(numberOf(this.game, ply - 1), moveText(turn), value) : text.graph.start(value);
  }

  /** Shows a game at a ply. `leads` has South's final lead for each position: its number,
   * and whether it is exact, or null; `marks` the marks of the moves, by index. */
  show(game, ply, leads, marks) {
    const shown = JSON.stringify([ply, leads, marks, text.code]);
    if (game === this.game && shown === this.shown) return;
    this.shown = shown;
    this.game = game;
    this.ply = ply;
    this.leads = leads;
    this.marks = marks;
    this.draw();
  }

  draw() {
    if (!this.game) return;
    const { positions } = this.game;
    const unit = Number.parseFloat(getComputedStyle(this.parent).fontSize);
    const [left, right, top, bottom] = [MARGIN.left, MARGIN.right, MARGIN.top, MARGIN.bottom].map((size) => size * unit);
    const width = Math.max(this.parent.clientWidth, 12 * unit);
    const height = HEIGHT * unit;
    const taken = positions.map(({ stores }) => stores.south - stores.north);
    const most = Math.ceil(Math.max(4, ...taken.map(Math.abs), ...this.leads.map((lead) => Math.abs(lead?.net ?? 0))));
    this.left = left;
    this.step = (width - left - right) / Math.max(positions.length - 1, MIN_PLIES);
    const x = (ply) => (left + ply * this.step).toFixed(1);
    const y = (value) => (top + (height - top - bottom) * (0.5 - value / (2 * most))).toFixed(1);
    const line = (classes, points) => make("polyline", {
      class: classes,
      points: points.map(([ply, value]) => `${x(ply)},${y(value)}`).join(" "),
    }, this.svg);

    this.svg.replaceChildren();
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", height);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.setAttribute("aria-label", this.summary());
    this.svg.setAttribute("aria-valuemax", positions.length - 1);
    this.svg.setAttribute("aria-valuenow", this.ply);
    this.svg.setAttribute("aria-valuetext", this.told(this.ply));
    for (const value of [most, 0, -most]) {
      make("line", { class: "grid", x1: left, x2: width - right, y1: y(value), y2: y(value) }, this.svg);
      const label = make("text", { x: left - unit, y: Number(y(value)) + unit / 3, "text-anchor": "end", "aria-hidden": true }, this.svg);
      label.textContent = signed(value);
    }
    make("line", { class: "now", x1: x(this.ply), x2: x(this.ply), y1: top, y2: height - bottom }, this.svg);
    line("taken", [...taken.entries()]);
    for (const { exact, points } of runs(this.leads)) line(exact ? "exact" : "estimate", points);
    this.leads.forEach((lead, ply) => {
      if (!lead) return;
      const mark = this.marks[ply - 1];
      const point = make("circle", { cx: x(ply), cy: y(lead.net), r: ply === this.ply ? 5.5 : mark ? 4 : 2.5 }, this.svg);
      point.classList.add("point", lead.exact ? "proven" : "estimated");
      point.classList.toggle("shown", ply === this.ply);
      if (mark) point.dataset.mark = mark;
    });
    this.point(this.pointed === null ? null : Math.min(this.pointed, positions.length - 1));
  }

  /** A description of the graph for screen readers. */
  summary() {
    const known = this.leads.filter(Boolean);
    if (known.length === 0) return text.graph.none;
    const now = this.leads[this.ply];
    return text.graph.here(now ? leadText(now.net, now.exact) : text.graph.notKnownHere, leadText(known.at(-1).net, known.at(-1).exact));
  }
}

/** The known leads as lines: neighbouring exact ones are joined by an exact line, all
 * others by an estimated one. */
function runs(leads) {
  const known = leads.flatMap((lead, ply) => (lead ? [{ ply, ...lead }] : []));
  const found = [];
  known.slice(1).forEach((lead, index) => {
    const before = known[index];
    const exact = lead.exact && before.exact && lead.ply === before.ply + 1;
    const points = [[before.ply, before.net], [lead.ply, lead.net]];
    if (found.at(-1)?.exact === exact) found.at(-1).points.push(points[1]);
    else found.push({ exact, points });
  });
  return found;
}

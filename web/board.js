// The board: twelve pits and two stores as buttons. The elements are created once and
// updated in place, so that they keep the focus.

import { NAMES, count, letter, owner, signed } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
/** Maximum number of seeds to draw; the count shows the rest. */
const MAX_DRAWN = 24;

/** Creates an element with classes in a parent. */
function make(name, classes, parent) {
  const element = document.createElement(name);
  element.className = classes;
  parent.append(element);
  return element;
}

/** Calls `onClick` with 0, or with −1 after a click of the secondary button. */
function listen(button, onClick) {
  button.addEventListener("click", () => onClick(0));
  button.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    onClick(-1);
  });
}

function makePile(parent) {
  const pile = document.createElementNS(SVG, "svg");
  pile.setAttribute("viewBox", "-50 -50 100 100");
  pile.setAttribute("aria-hidden", "true");
  parent.append(pile);
  return pile;
}

/** Draws seeds around the centre, each turned by the golden angle. */
function drawPile(pile, seeds, turn) {
  const shown = Math.min(seeds, MAX_DRAWN);
  const spread = shown > 1 ? Math.min(15, 38 / Math.sqrt(shown)) : 0;
  const radius = Math.min(10.5, 45 / Math.sqrt(Math.max(shown, 1) + 4));
  const circles = [];
  for (let i = 0; i < shown; i++) {
    const angle = i * 2.39996 + turn;
    const distance = spread * Math.sqrt(i + 0.4);
    const circle = document.createElementNS(SVG, "circle");
    circle.setAttribute("cx", (distance * Math.cos(angle)).toFixed(1));
    circle.setAttribute("cy", (distance * Math.sin(angle)).toFixed(1));
    circle.setAttribute("r", radius.toFixed(1));
    circle.setAttribute("fill", "url(#seed)");
    circles.push(circle);
  }
  pile.replaceChildren(...circles);
}

export class Board {
  /** Creates a board in this element. A click calls `onPit` with the pit, 0 to 11, or
   * `onStore` with the player, and with −1 for the secondary button, else 0. */
  constructor(parent, { onPit, onStore }) {
    this.pits = [];
    this.stores = {};
    this.seeds = null;
    parent.replaceChildren();
    this.makeStore("north", parent, onStore);
    const rows = { north: make("div", "row north", parent), south: make("div", "row south", parent) };
    for (const player of ["north", "south"]) {
      rows[player].setAttribute("role", "group");
      rows[player].setAttribute("aria-label", `${NAMES[player]}'s pits`);
    }
    for (const pit of [11, 10, 9, 8, 7, 6, 0, 1, 2, 3, 4, 5]) {
      this.makePit(pit, rows[owner(pit)], onPit);
    }
    this.makeStore("south", parent, onStore);
    this.rows = rows;
  }

  makePit(pit, row, onPit) {
    const button = make("button", "pit", row);
    button.type = "button";
    button.dataset.pit = pit;
    const hollow = make("span", "hollow", button);
    const parts = {
      button,
      pile: makePile(hollow),
      count: make("span", "count", hollow),
    };
    const caption = make("span", "caption", button);
    make("span", "letter", caption).textContent = letter(pit);
    parts.value = make("span", "value", caption);
    listen(button, (forced) => onPit(pit, forced));
    this.pits[pit] = parts;
  }

  makeStore(player, parent, onStore) {
    const button = make("button", `store ${player}`, parent);
    button.type = "button";
    const title = make("span", "player", button);
    title.textContent = NAMES[player];
    const parts = { button, pile: makePile(button), count: make("span", "count", button) };
    listen(button, (forced) => onStore(player, forced));
    this.stores[player] = parts;
  }

  /** Shows a position; `moves` are the moves of the player to move in the server's
   * format, or null while they are not known. */
  show(position, { moves, over, editing, hints }) {
    const changed = [];
    const byPit = new Map();
    const first = position.to_move === "south" ? 0 : 6;
    for (const move of moves ?? []) byPit.set(first + move.pit, move);
    const last = position.turn && (position.turn.player === "south" ? 0 : 6) + position.turn.pit;
    position.board.forEach((seeds, pit) => {
      const { button, pile, count: number, value } = this.pits[pit];
      if (this.seeds?.[pit] !== seeds) {
        drawPile(pile, seeds, pit);
        if (this.seeds) changed.push(pit);
      }
      number.textContent = seeds;
      const move = editing ? undefined : byPit.get(pit);
      const known = hints && move && move.value !== null;
      value.textContent = known ? signed(move.value) : "";
      value.dataset.sign = known ? Math.sign(move.value) : "";
      button.classList.toggle("best", Boolean(known && move.best));
      button.classList.toggle("last", pit === last);
      button.classList.toggle("legal", Boolean(move));
      button.classList.toggle("empty", seeds === 0);
      button.setAttribute("aria-disabled", String(!editing && !move));
      button.setAttribute("aria-label", label(pit, seeds, known && move, pit === last));
    });
    for (const player of ["south", "north"]) {
      const { button, pile, count: number } = this.stores[player];
      const seeds = position.stores[player];
      if (number.textContent !== String(seeds)) drawPile(pile, seeds, 0);
      number.textContent = seeds;
      button.setAttribute("aria-disabled", String(!editing));
      const turn = !over && position.to_move === player;
      button.classList.toggle("to-move", turn);
      this.rows[player].classList.toggle("to-move", turn);
      button.setAttribute("aria-label", `${NAMES[player]}'s store, ${count(seeds, "seed")}${turn ? ", to move" : ""}`);
    }
    this.seeds = position.board;
    this.animate(changed, last);
  }

  /** Animates the pits that changed, in the order of sowing. */
  animate(changed, from) {
    if (changed.length === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const order = (pit) => (pit - (from ?? 0) + 12) % 12;
    for (const pit of changed) {
      const frames = [{ transform: "scale(0.82)", opacity: 0.4 }, { transform: "none", opacity: 1 }];
      const delay = Math.min(order(pit) * 45, 500);
      this.pits[pit].pile.animate(frames, { duration: 220, delay, easing: "ease-out", fill: "backwards" });
    }
  }

  /** Shakes a pit that cannot be played. */
  shake(pit) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const frames = [0, -4, 4, -2, 0].map((x) => ({ transform: `translateX(${x}px)` }));
    this.pits[pit].button.animate(frames, { duration: 220 });
  }
}

function label(pit, seeds, move, last) {
  const parts = [`${NAMES[owner(pit)]}'s pit ${letter(pit)}`, count(seeds, "seed")];
  if (move) parts.push(`value ${signed(move.value)}`);
  if (move?.best) parts.push("best");
  if (last) parts.push("played last");
  return parts.join(", ");
}

// The board: twelve pits and two stores as buttons. The elements are created once and
// updated in place, so that they keep the focus.

import { showLead } from "./analysis-card.js";
import { leadText, signed, text } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";
/** Maximum number of seeds to draw; the count shows the rest. */
const MAX_DRAWN = 24;
/** The pits of each row from left to right, seen from South's side. */
const ROWS = { north: [11, 10, 9, 8, 7, 6], south: [0, 1, 2, 3, 4, 5] };

/** The letter of one of the twelve pits, from South's first. */
export function letter(pit) {
  return "ABCDEFabcdef"[pit];
}

/** The owner of one of the twelve pits. */
export function owner(pit) {
  return pit < 6 ? "south" : "north";
}

/** Creates an element with classes in a parent. */
function make(name, classes, parent) {
  const element = document.createElement(name);
  element.className = classes;
  parent.append(element);
  return element;
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

function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export class Board {
  /** Creates a board in this element. A click calls `onPlace` with the place, a pit from
   * 0 to 11 or a player's store, and with −1 for the secondary button, else 0. */
  constructor(parent, onPlace) {
    this.parent = parent;
    this.onPlace = onPlace;
    this.pits = [];
    this.stores = {};
    this.rows = {};
    this.seeds = null;
    parent.replaceChildren();
    for (const player of ["north", "south"]) {
      this.rows[player] = make("div", "row", parent);
      this.rows[player].setAttribute("role", "group");
      for (const pit of ROWS[player]) this.makePit(pit, this.rows[player]);
      this.makeStore(player, parent);
    }
    this.turn(false);
  }

  listen(button, place) {
    button.type = "button";
    button.dataset.place = place;
    button.addEventListener("click", () => this.onPlace(place, 0));
    button.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.onPlace(place, -1);
    });
  }

  makePit(pit, row) {
    const button = make("button", "pit", row);
    button.dataset.pit = pit;
    const hollow = make("span", "hollow", button);
    const parts = { button, pile: makePile(hollow), count: make("span", "count", hollow) };
    const caption = make("span", "caption", button);
    make("span", "letter", caption).textContent = letter(pit);
    parts.value = make("span", "value", caption);
    this.listen(button, pit);
    this.pits[pit] = parts;
  }

  makeStore(player, parent) {
    const button = make("button", "store", parent);
    const title = make("span", "player", button);
    const parts = { button, title, pile: makePile(button), count: make("span", "count", button) };
    this.listen(button, player);
    this.stores[player] = parts;
  }

  /** Turns the board so that South's or North's row is below. */
  turn(northBelow) {
    const [top, bottom] = northBelow ? ["south", "north"] : ["north", "south"];
    for (const [player, place] of [[top, "top"], [bottom, "bottom"]]) {
      const pits = northBelow ? ROWS[player].toReversed() : ROWS[player];
      this.rows[player].append(...pits.map((pit) => this.pits[pit].button));
      this.rows[player].className = `row ${place} ${player}`;
      this.stores[player].button.className = `store ${place} ${player}`;
    }
    // The order of the elements is that of the rows, for the keyboard.
    this.parent.append(this.stores[top].button, this.rows[top], this.rows[bottom], this.stores[bottom].button);
    this.seeds = null;
  }

  /** Shows a position. `legal` has the letters that may be played; `values` the moves with
   * a known lead, by letter; `reasons` a sentence for pits that may not be played. */
  show(position, { legal, values, reasons, over, editing, source }) {
    const changed = [];
    const last = position.turn && (position.turn.player === "south" ? 0 : 6) + position.turn.pit;
    position.board.forEach((seeds, pit) => {
      const { button, pile, count, value } = this.pits[pit];
      if (this.seeds?.[pit] !== seeds) {
        drawPile(pile, seeds, pit);
        if (this.seeds) changed.push(pit);
      }
      count.textContent = seeds;
      const move = editing ? undefined : values.get(letter(pit));
      const playable = !editing && legal.includes(letter(pit));
      showLead(value, move);
      button.classList.toggle("best", Boolean(move?.best));
      button.classList.toggle("last", !editing && pit === last);
      button.classList.toggle("legal", playable);
      button.classList.toggle("empty", seeds === 0);
      button.classList.toggle("source", source === pit);
      button.classList.remove("asked");
      button.setAttribute("aria-disabled", String(!editing && !playable));
      const own = !editing && !over && owner(pit) === position.to_move;
      button.title = own && !playable ? reasons(letter(pit)) : "";
      button.setAttribute("aria-label", label(pit, seeds, { move, playable, own, editing, last: !editing && pit === last, source: source === pit }));
    });
    for (const player of ["south", "north"]) {
      const { button, title, pile, count } = this.stores[player];
      const seeds = position.stores[player];
      if (count.textContent !== String(seeds)) drawPile(pile, seeds, 0);
      count.textContent = seeds;
      title.textContent = text.players[player];
      button.setAttribute("aria-disabled", String(!editing));
      const turn = !over && position.to_move === player;
      button.classList.toggle("to-move", turn);
      button.classList.toggle("source", source === player);
      this.rows[player].classList.toggle("to-move", turn);
      this.rows[player].setAttribute("aria-label", text.board.row(player));
      const parts = [text.board.store(player), text.board.seeds(seeds)];
      if (turn) parts.push(text.board.toMove);
      if (source === player) parts.push(text.board.source);
      button.setAttribute("aria-label", parts.join(", "));
    }
    this.seeds = [...position.board];
    if (!editing) this.animate(changed, last);
  }

  /** Marks a pit whose move was asked for, until the answer is shown. */
  ask(pit) {
    this.pits[pit].button.classList.add("asked");
  }

  /** Takes back the mark of a pit that was asked for. */
  answer() {
    for (const { button } of this.pits) button.classList.remove("asked");
  }

  /** Animates the pits that changed, in the order of sowing. */
  animate(changed, from) {
    if (changed.length === 0 || still()) return;
    const order = (pit) => (pit - (from ?? 0) + 12) % 12;
    for (const pit of changed) {
      const frames = [{ transform: "scale(0.82)", opacity: 0.4 }, { transform: "none", opacity: 1 }];
      const delay = Math.min(order(pit) * 45, 500);
      this.pits[pit].pile.animate(frames, { duration: 220, delay, easing: "ease-out", fill: "backwards" });
    }
  }

  /** Shakes a place that cannot be played or changed. */
  shake(place) {
    if (still()) return;
    const { button } = this.pits[place] ?? this.stores[place];
    const frames = [0, -4, 4, -2, 0].map((x) => ({ transform: `translateX(${x}px)` }));
    button.animate(frames, { duration: 220 });
  }
}

function label(pit, seeds, { move, playable, own, editing, last, source }) {
  const parts = [text.board.pit(owner(pit), letter(pit)), text.board.seeds(seeds)];
  if (move?.exact || move?.bounds) parts.push(text.board.lead(signed(move.lead)));
  else if (move) parts.push(text.board.estimate(leadText(move.lead, false)));
  if (move?.best) parts.push(text.board.best);
  if (own && !playable && !editing) parts.push(text.board.notPlayable);
  if (last) parts.push(text.board.playedLast);
  if (source) parts.push(text.board.source);
  return parts.join(", ");
}

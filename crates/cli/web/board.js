// The board: twelve pits and two stores as buttons. Their elements stand in the page from the
// beginning and are updated in place, so that they keep the focus. Seeds on their way are drawn as
// those in pits, and leads in lists as those at pits.

import { leadText, signed, text } from "./texts.js";

/** The letters of the pits, from South's first. */
export const LETTERS = "ABCDEFabcdef";
/** The pits of each row from left to right, seen from South's side. */
const ROWS = { north: [11, 10, 9, 8, 7, 6], south: [0, 1, 2, 3, 4, 5] };
const PLAYERS = ["south", "north"];
const SVG = "http://www.w3.org/2000/svg";
/** The most seeds to draw; the count shows the rest. */
const MAX_DRAWN = 24;
/** From this lead on, a short text has no decimal. */
const LARGE = 9.95;

// Places: pits with their letters and owners, and stores

/** The letter of one of the twelve pits, from South's first. */
export function letter(pit) {
  return LETTERS[pit];
}

/** The owner of one of the twelve pits. */
export function owner(pit) {
  return pit < 6 ? "south" : "north";
}

/** A place by what its element says: a pit from 0 to 11, or the player of a store. */
export function placeOf(word) {
  return word === "south" || word === "north" ? word : Number(word);
}

// Piles

/** An empty pile. */
export function makePile() {
  const pile = document.createElementNS(SVG, "svg");
  pile.setAttribute("viewBox", "-50 -50 100 100");
  pile.setAttribute("aria-hidden", "true");
  return pile;
}

/** Draws seeds around the centre, each turned by the golden angle; `turn` turns them all. */
export function drawPile(pile, seeds, turn) {
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

/** Shows a lead: its text, sign and kind. A `short` text has no decimal where it matters least. */
export function showLead(element, move, { short = false } = {}) {
  const known = move && (move.exact || Boolean(move.bounds));
  const whole = known || (short && Math.abs(move?.lead) >= LARGE);
  element.textContent = move ? leadText(move.lead, whole) : "";
  element.dataset.sign = move ? Math.sign(known ? move.lead : Number(move.lead.toFixed(1))) : "";
  element.dataset.kind = move?.exact ? "exact" : "estimate";
}

function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export class Board {
  /** Takes over the board in this element. */
  constructor(parent) {
    this.parent = parent;
    /** Above the board, for seeds on their way. */
    this.flights = parent.querySelector(".flights");
    this.pits = LETTERS.split("").map((_, pit) => this.parts(`[data-pit="${pit}"]`, pit));
    this.stores = Object.fromEntries(PLAYERS.map((player) => [player, this.parts(`.store.${player}`, player)]));
    this.rows = Object.fromEntries(PLAYERS.map((player) => [player, parent.querySelector(`.row.${player}`)]));
    this.turn(false);
  }

  /** The parts of a pit or store. */
  parts(selector, place) {
    const button = this.parent.querySelector(selector);
    Object.assign(button.dataset, { action: "place", place });
    const [pile, ...rest] = ["svg", ".count", ".value", ".player"].map((part) => button.querySelector(part));
    const [count, value, title] = rest;
    return { button, pile, count, value, title, seeds: null };
  }

  /** Calls `onPoint` with the pit that has the pointer or the focus, or null. */
  listen(onPoint) {
    const pitOf = (event) => {
      const { pit } = event.target.closest("[data-pit]")?.dataset ?? {};
      return pit === undefined ? null : Number(pit);
    };
    const focused = () => (this.parent.contains(document.activeElement) ? pitOf({ target: document.activeElement }) : null);
    this.parent.addEventListener("pointerover", (event) => onPoint(pitOf(event)));
    this.parent.addEventListener("pointerleave", () => onPoint(focused()));
    this.parent.addEventListener("focusin", (event) => onPoint(pitOf(event)));
    this.parent.addEventListener("focusout", () => onPoint(null));
  }

  /** Turns the board so that South's or North's row is below. */
  turn(northBelow) {
    if (this.northBelow === northBelow) return;
    this.northBelow = northBelow;
    const [top, bottom] = northBelow ? ["south", "north"] : ["north", "south"];
    const had = document.activeElement;
    for (const [player, place] of [[top, "top"], [bottom, "bottom"]]) {
      const pits = northBelow ? [...ROWS[player]].reverse() : ROWS[player];
      this.rows[player].append(...pits.map((pit) => this.pits[pit].button));
      this.rows[player].className = `row ${place} ${player}`;
      this.stores[player].button.className = `store ${place} ${player}`;
    }
    // The order of the elements is that of the rows, for the keyboard.
    this.parent.append(this.stores[top].button, this.rows[top], this.rows[bottom], this.stores[bottom].button, this.flights);
    if (this.parent.contains(had)) had.focus();
  }

  // Seeds. A place is a pit from 0 to 11, its letter, or the store of a player.

  find(place) {
    return this.stores[place] ?? this.pits[place] ?? this.pits[LETTERS.indexOf(place)];
  }

  seedsAt(place) {
    return this.find(place).seeds;
  }

  setSeeds(place, seeds) {
    const part = this.find(place);
    if (part.seeds === seeds) return;
    drawPile(part.pile, seeds, this.pits.indexOf(part));
    part.seeds = seeds;
    part.count.textContent = seeds;
    part.button.classList.toggle("empty", seeds === 0);
  }

  setAllSeeds({ board, stores }) {
    board.forEach((seeds, pit) => this.setSeeds(pit, seeds));
    for (const player of PLAYERS) this.setSeeds(player, stores[player]);
  }

  /** The centre of a place, in pixels of the board. */
  centre(place) {
    const { pile } = this.find(place);
    const outer = this.parent.getBoundingClientRect();
    const { left, top, width, height } = pile.getBoundingClientRect();
    return { x: left - outer.left + width / 2, y: top - outer.top + height / 2 };
  }

  /** The width of a pit in pixels. */
  size() {
    return this.pits[0].pile.getBoundingClientRect().width;
  }

  // Showing a position

  /** Shows a position. `legal` has the letters that may be played; `values` the moves with
   * a known lead; `reasons` a sentence for pits that may not be played; `asked` is the
   * pit whose move waits for its answer, `hinted` the letter of a good move, `former` the turn
   * before an opponent's one. The seeds stay where they are while they are `held`. */
  show(position, { legal, values, reasons, over, editing, source, asked, moving, held, hinted, former }) {
    if (!held) this.setAllSeeds(position);
    this.parent.classList.toggle("moving", moving);
    const [last, before] = [position.turn, former].map((turn) => turn && (turn.player === "south" ? 0 : 6) + turn.pit);
    position.board.forEach((seeds, pit) => {
      const { button, value } = this.pits[pit];
      const move = editing ? undefined : values.find((one) => one.letter === letter(pit));
      const playable = !editing && legal.includes(letter(pit));
      showLead(value, move, { short: true });
      button.classList.toggle("best", Boolean(move?.best) || hinted === letter(pit));
      button.classList.toggle("before", !editing && pit === before);
      button.classList.toggle("last", !editing && pit === last);
      button.classList.toggle("legal", playable);
      button.classList.toggle("source", source === pit);
      button.classList.toggle("asked", asked === pit);
      button.setAttribute("aria-disabled", String(!editing && !playable));
      const own = !editing && !over && owner(pit) === position.to_move;
      button.title = own && !playable ? reasons(letter(pit)) : "";
      button.setAttribute("aria-label", label(pit, seeds, { move, shown: value.textContent, playable, own, editing, last: !editing && pit === last, source: source === pit }));
    });
    for (const player of PLAYERS) this.showStore(player, position, { over, editing, source });
  }

  showStore(player, position, { over, editing, source }) {
    const { button, title } = this.stores[player];
    title.textContent = text.players[player];
    button.setAttribute("aria-disabled", String(!editing));
    const turn = !over && position.to_move === player;
    button.classList.toggle("to-move", turn);
    button.classList.toggle("source", source === player);
    this.rows[player].classList.toggle("to-move", turn);
    this.rows[player].setAttribute("aria-label", text.board.row(player));
    const parts = [text.players[player], text.board.seeds(position.stores[player]), text.board.store];
    if (turn) parts.push(text.board.toMove);
    if (source === player) parts.push(text.board.source);
    button.setAttribute("aria-label", parts.join(", "));
  }

  // Marks and motion

  /** Marks a place as `captured`, or as one that a move `lands` in or `takes`. */
  mark(place, name) {
    this.find(place).button.classList.add(name);
  }

  clearMarks() {
    for (const { button } of [...this.pits, ...Object.values(this.stores)]) {
      button.classList.remove("captured", "lands", "takes");
    }
  }

  /** A seed falls into a place. */
  pulse(place, duration) {
    const frames = [{ transform: "scale(1.12)" }, { transform: "none" }];
    this.find(place).pile.animate(frames, { duration, easing: "ease-out" });
  }

  /** Shakes a place that cannot be played or changed. */
  shake(place) {
    if (still()) return;
    const frames = [0, -4, 4, -2, 0].map((x) => ({ transform: `translateX(${x}px)` }));
    this.find(place).button.animate(frames, { duration: 220 });
  }
}

/** The name of a pit. It begins with what the pit shows: letter, value and seeds. */
function label(pit, seeds, { move, shown, playable, own, editing, last, source }) {
  const parts = [shown ? `${letter(pit)} ${shown}` : letter(pit), text.board.seeds(seeds), text.board.pitOf(owner(pit))];
  if (move?.exact || move?.bounds) parts.push(text.board.lead(signed(move.lead)));
  else if (move) parts.push(text.board.estimate(leadText(move.lead, false)));
  if (move?.best) parts.push(text.board.best);
  if (own && !playable && !editing) parts.push(text.board.notPlayable);
  if (last) parts.push(text.board.playedLast);
  if (source) parts.push(text.board.source);
  return parts.join(", ");
}

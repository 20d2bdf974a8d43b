// The animation of a move: seeds are lifted, dropped one by one, and captured seeds fly to
// the store. The events of a move come with its position; nothing here knows the rules.

import { drawPile, makePile } from "./board.js";
import { settings } from "./storage.js";

/** Milliseconds of each step at normal speed. */
const LIFT = 160;
const DROP = 130;
const FLASH = 380;
const FLY = 420;
const GAIN = 1100;
/** A long sowing is faster: all its drops take at most this long. */
const ALL_DROPS = 2000;
/** How many times longer each step takes, and a step of a move that is taken back. */
const SPEEDS = { slow: 2.2, normal: 1 };
const BACK = 0.5;

/** Whether moves are shown at once. */
function still() {
  return settings.speed === "off" || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Makes a sound, if the user wants them; the module comes with the first one. */
function sounds(make) {
  if (settings.sound) import("./sound.js").then(make, () => {});
}

/** Consecutive events of one kind, as groups. */
function grouped(events) {
  const groups = [];
  for (const one of events) {
    if (groups.at(-1)?.[0].event === one.event) groups.at(-1).push(one);
    else groups.push([one]);
  }
  return groups;
}

export class Sowing {
  /** Moves the seeds of this board. Calls `onMoving` with true when they set off, and with false
   * when they have arrived. */
  constructor(board, onMoving) {
    this.board = board;
    this.onMoving = onMoving;
    /** The move that was shown last. */
    this.step = null;
    /** Ends the move in progress; null if nothing moves. */
    this.controller = null;
    document.addEventListener("visibilitychange", () => document.hidden && this.finish());
  }

  get moving() {
    return this.controller !== null;
  }

  /** Shows a move, once: its events from a position, or `back` to the one before it. Without a
   * move, or with another one, the one in progress ends. */
  show(step) {
    if (step === this.step) return;
    this.step = step;
    this.finish();
    if (!step || still()) return;
    const { from, events, back } = step;
    this.board.clearMarks();
    this.board.setAllSeeds(from);
    const controller = new AbortController();
    this.controller = controller;
    this.factor = SPEEDS[settings.speed] * (back ? BACK : 1);
    this.onMoving(true);
    (back ? this.runBack(events, controller.signal) : this.run(events, controller.signal)).catch((error) => {
      if (!controller.signal.aborted) throw error;
    }).finally(() => {
      if (this.controller === controller) this.end();
    });
  }

  /** Ends the move in progress at once. */
  finish() {
    if (!this.moving) return;
    this.controller.abort();
    this.end();
  }

  end() {
    this.controller = null;
    this.board.flights.replaceChildren();
    this.board.clearMarks();
    this.onMoving(false);
  }

  async run(events, signal) {
    const steps = { lift: this.lift, sow: this.sow, capture: this.capture, collect: this.collect };
    for (const group of grouped(events)) await steps[group[0].event].call(this, group, signal);
  }

  /** Shows the events from the last to the first: seeds leave the store for their pits, the
   * hand takes up those that were sown, and puts them down where they came from. */
  async runBack(events, signal) {
    const steps = { lift: this.putDown, sow: this.takeUp, capture: this.flyBack, collect: this.flyBack };
    for (const group of grouped([...events].reverse())) await steps[group[0].event].call(this, group, signal);
  }

  /** Animates an element; the promise fails if the move is ended before. */
  move(element, frames, duration, signal, options = {}) {
    signal.throwIfAborted();
    const animation = element.animate(frames, { duration: duration * this.factor, fill: "both", easing: "ease-in-out", ...options });
    signal.addEventListener("abort", () => animation.cancel(), { once: true });
    return animation.finished;
  }

  /** A pile above the board, with a number. */
  makeFlight(classes, seeds, label) {
    const flight = document.createElement("div");
    const count = document.createElement("span");
    const pile = makePile();
    flight.className = `flight ${classes}`;
    flight.style.width = `${this.board.size()}px`;
    drawPile(pile, seeds, 0);
    count.className = "count";
    count.textContent = label;
    flight.append(pile, count);
    this.board.flights.append(flight);
    return { flight, pile, count };
  }

  /** The transform that puts a flight over a place, raised by a part of its size. */
  at(place, raised = 0, scale = 1) {
    const { x, y } = this.board.centre(place);
    const size = this.board.size();
    return `translate(${x - size / 2}px, ${y - size / 2 - raised * size}px) scale(${scale})`;
  }

  /** Takes the seeds of a pit into the hand. */
  async lift([{ from, seeds }], signal) {
    this.hand = { ...this.makeFlight("hand", seeds, seeds), seeds, at: this.at(from, 0.3) };
    this.board.setSeeds(from, 0);
    const frames = [{ transform: this.at(from) }, { transform: this.hand.at }];
    await this.move(this.hand.flight, frames, LIFT, signal);
  }

  /** Moves the hand over each of the places, and that many seeds from the hand to the place. */
  async visit(group, seeds, signal) {
    const { hand, board } = this;
    const duration = Math.min(DROP, ALL_DROPS / group.length);
    for (const { to } of group) {
      const next = this.at(to, 0.3);
      await this.move(hand.flight, [{ transform: hand.at }, { transform: next }], duration, signal);
      hand.at = next;
      hand.seeds -= seeds;
      hand.count.textContent = hand.seeds;
      drawPile(hand.pile, hand.seeds, 0);
      board.setSeeds(to, Math.max(board.seedsAt(to) + seeds, 0));
      board.pulse(to, duration * this.factor);
      sounds((sound) => sound.drop());
    }
  }

  /** Drops a seed of the hand into each of the places. */
  async sow(group, signal) {
    const { hand } = this;
    await this.visit(group, 1, signal);
    // The last seed is seen where it fell before anything is captured.
    await this.move(hand.flight, [{ opacity: 1 }, { opacity: 0 }], DROP, signal);
    hand.flight.remove();
  }

  /** Takes a seed up from each of the places. */
  async takeUp(group, signal) {
    const at = this.at(group[0].to, 0.3);
    this.hand = { ...this.makeFlight("hand", 0, 0), seeds: 0, at };
    await this.visit(group, -1, signal);
  }

  /** Puts the seeds of the hand into a pit. */
  async putDown([{ from, seeds }], signal) {
    const { flight, at } = this.hand;
    await this.move(flight, [{ transform: at }, { transform: this.at(from) }], LIFT, signal);
    flight.remove();
    this.board.setSeeds(from, seeds);
  }

  /** Captured pits flash, then their seeds fly to the store. */
  async capture(group, signal) {
    sounds((sound) => sound.capture());
    for (const { from } of group) this.board.mark(from, "captured");
    await this.move(this.board.flights, [{ opacity: 1 }, { opacity: 1 }], FLASH, signal);
    await this.collect(group, signal);
  }

  /** Seeds on the board go to a store, which tells how many it has got. */
  async collect(group, signal) {
    const totals = new Map();
    for (const { to, seeds } of group) totals.set(to, (totals.get(to) ?? 0) + seeds);
    await this.fly(group, "+", signal);
    for (const [to, seeds] of totals) this.tellGain(to, seeds, signal);
    await this.move(this.board.flights, [{ opacity: 1 }, { opacity: 1 }], FLASH, signal);
  }

  /** Seeds go back from a store. */
  async flyBack(group, signal) {
    await this.fly(group.map(({ from, to, seeds }) => ({ from: to, to: from, seeds })), "−", signal);
  }

  /** Seeds fly from one place to another, each group a little after the one before. */
  async fly(group, sign, signal) {
    const { board } = this;
    const flights = group.map(async ({ from, to, seeds }, index) => {
      const { flight } = this.makeFlight("taken", seeds, `${sign}${seeds}`);
      board.setSeeds(from, Math.max(board.seedsAt(from) - seeds, 0));
      const frames = [{ transform: this.at(from) }, { transform: this.at(from, 0.25, 1.1), offset: 0.25 }, { transform: this.at(to, 0, 0.8) }];
      await this.move(flight, frames, FLY, signal, { delay: index * 90 * this.factor });
      flight.remove();
      board.setSeeds(to, board.seedsAt(to) + seeds);
    });
    await Promise.all(flights);
  }

  /** Tells at a store how many seeds it has got. */
  tellGain(to, seeds, signal) {
    const gain = document.createElement("div");
    gain.className = "gain";
    gain.textContent = `+${seeds}`;
    this.board.flights.append(gain);
    const frames = [
      { transform: `${this.at(to)} translate(0, 0)`, opacity: 0 },
      { transform: `${this.at(to)} translate(0, -20%)`, opacity: 1, offset: 0.2 },
      { transform: `${this.at(to)} translate(0, -60%)`, opacity: 0 },
    ];
    gain.style.width = `${this.board.size()}px`;
    this.move(gain, frames, GAIN, signal).then(() => gain.remove(), () => {});
  }
}

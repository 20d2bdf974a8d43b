// The game that the page shows: going to another state, and the questions about the
// position. Every state is in the address, and the server has accepted its game.

import * as api from "./api.js";
import * as states from "./state.js";
import * as views from "./views.js";

/** Number of moves to request for the best line. */
const LINE_PLIES = 12;
/** The moves that the engine tells: all. */
const ALL_MOVES = 6;
/** How long the engine searches, at first and when it is asked to think longer, in
 * milliseconds. */
const THINKING = 5000;
const LONGER = 10_000;
/** How long a move waits for its events, in milliseconds. */
const EVENTS_DELAY = 250;
/** Milliseconds to wait for values before showing a position without them. */
const SHOW_DELAY = 80;

const NO_QUESTIONS = { tables: false, engine: false, reply: false };
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

export class Session {
  /** `parts` are the knowledge, the review and the editor. `hooks` are
   * called when something happens: `onStep` when a move begins whose events are known (the
   * position `from` which it goes, its `events`, and whether it goes `back`), `onArrive` when the
   * state is shown, with the move if it has not begun, `onRefuse` when the server did not accept one, `onFailure` with an error and a function to try again,
   * `onLearn` when more is known, `show` to show it all, and `announce` when the position
   * is known. */
  constructor(parts, hooks) {
    Object.assign(this, parts);
    this.hooks = hooks;
    this.state = null;
    /** The game of the state, from the server. */
    this.game = null;
    /** The state on its way: the controller that cancels it, and a promise of its end. */
    this.arriving = null;
    /** The moves that wait for the ones before them. */
    this.turns = Promise.resolve();
    /** Cancels the questions about the position when another one is shown. */
    this.questions = new AbortController();
    /** The questions that are still open. */
    this.open = NO_QUESTIONS;
    /** Whether the engine rests. */
    this.paused = false;
    /** The game before moves were taken back, and its lengths then. */
    this.undone = null;
  }

  position() {
    return this.game.positions[this.state.ply];
  }

  atEnd() {
    return this.state.ply === this.game.positions.length - 1;
  }

  outcome() {
    return this.atEnd() ? this.game.outcome : null;
  }

  /** The estimate of the position, or undefined. */
  estimate() {
    return this.knowledge.estimate(this.state, this.state.ply);
  }

  /** Whether the opponent of the view plays for a player. */
  opponentMoves(player) {
    return views.current().opponent?.moves(player) ?? false;
  }

  /** Whether values and verdicts are shown. */
  hints() {
    return views.current().hints?.() ?? false;
  }

  /** Whether the opponent plays for the player to move. */
  opponentsTurn() {
    return !this.outcome() && this.opponentMoves(this.position().to_move);
  }

  // Going to another state

  /** Goes to another state once the server has accepted the game. Returns whether it did;
   * `mend` is called with an error in place of the hook. */
  go(next, { push = false, mend = this.hooks.onFailure } = {}) {
    this.arriving?.controller.abort();
    const mine = { controller: new AbortController() };
    const { signal } = mine.controller;
    this.arriving = mine;
    mine.settled = this.arrive(next, push, signal).catch((error) => {
      if (signal.aborted) return true;
      this.hooks.onRefuse();
      mend(error, () => this.go(next, { push, mend }));
      return false;
    }).finally(() => {
      if (this.arriving === mine) this.arriving = null;
    });
    return mine.settled;
  }

  async arrive(next, push, signal) {
    const step = this.stepTo(next);
    const from = this.game && this.position();
    const begun = step && this.eventsOf(step);
    if (begun) this.hooks.onStep({ from, events: begun, back: step.back });
    const [found] = await Promise.all([this.gameOf(next, signal), step && !begun && this.learnStep(step, next, signal)]);
    signal.throwIfAborted();
    const events = step && this.eventsOf(step);
    this.game = found;
    // A state that names no view stays in the view.
    const { view, query } = next.view ? next : this.state ?? { view: views.DEFAULT };
    const ply = Math.min(next.ply, found.positions.length - 1);
    this.state = { ...next, view, query: query ?? {}, start: found.start, ply };
    states.write(this.state, { push });
    this.review.keep(this.state);
    this.hooks.onArrive(begun ? { begun } : events && { from, events, back: step.back });
    this.ask();
    return true;
  }

  /** The game of a state. A move at the end of the part that is shown adds a position to it, and
   * a move that is taken back drops one; any other game is played by the server. */
  async gameOf(next, signal) {
    const { game, state } = this;
    if (game && states.sameGame(next, state)) return game;
    const { length } = next.moves;
    const isPart = (moves, whole) => states.sameGame({ ...next, moves }, { ...state, moves: whole.slice(0, moves.length) });
    if (game && length === state.ply + 1 && isPart(next.moves.slice(0, -1), state.moves)) {
      const answer = await this.learn(next, signal);
      const positions = [...game.positions.slice(0, length), answer.position];
      return { ...game, moves: answer.moves, positions, outcome: answer.outcome };
    }
    const kept = game?.positions.slice(0, length + 1);
    const isOpen = kept?.every(({ ending }) => ending === null);
    if (isOpen && length < state.moves.length && isPart(next.moves, state.moves)) {
      return { ...game, moves: next.moves, positions: kept, outcome: null };
    }
    return api.game(next, signal);
  }

  /** The move between the position that is shown and another state, and the position before
   * it; null if it takes more than one move. */
  stepTo({ rules, start, moves, ply }) {
    if (!this.game || Math.abs(ply - this.state.ply) !== 1) return null;
    const back = ply < this.state.ply;
    const first = Math.min(ply, this.state.ply);
    const next = { rules, start, moves };
    if (!states.sameGame(states.upTo(this.state, first), states.upTo(next, first))) return null;
    const letter = (back ? this.state : next).moves[first];
    return { rules, position: this.game.positions[first], letter, back };
  }

  /** The events of a move, or null. */
  eventsOf({ rules, position, letter }) {
    return this.knowledge.events(rules, position.position, letter);
  }

  /** Learns the events of a move, if they arrive soon. */
  async learnStep({ back }, next, signal) {
    const { state } = this;
    const asked = this.learn(back ? states.upTo(next, next.ply) : states.upTo(state, state.ply), signal);
    await Promise.race([asked.catch(() => {}), pause(EVENTS_DELAY)]);
  }

  /** All that is known about the last position of a game. */
  async learn(game, signal) {
    const answer = await api.position(game, LINE_PLIES, signal);
    signal?.throwIfAborted();
    this.knowledge.addPosition(game.rules, answer.position.position, answer);
    return answer;
  }

  /** Asks for the same game again: the tables have changed. */
  async refresh() {
    await this.arrived();
    if (!this.game) return;
    const { state } = this;
    const found = await api.game(state);
    if (state !== this.state) return;
    this.game = found;
    this.ask();
  }

  /** Waits for the state on its way, if any. */
  async arrived() {
    while (this.arriving) await this.arriving.settled;
  }

  /** Goes to a state from an address, an example or a file. If it is not valid, its legal
   * beginning is shown, or else a new game; `explain` is called with the error and the
   * number of legal moves. */
  load(next, { push = false, explain }) {
    const mend = async (error, again) => {
      const { moves, ply } = error.details ?? {};
      const beginning = moves ?? (ply > 0 ? next.moves.slice(0, ply - 1) : undefined);
      if (error.code === "move" && beginning !== undefined && beginning !== next.moves) {
        if (await this.go({ ...next, moves: beginning, ply: beginning.length }, { push })) explain(error, beginning.length);
      } else if (this.game || error.code === "no-connection") {
        this.hooks.onFailure(error, again);
      } else if (await this.go(states.fresh(states.RULES))) {
        this.hooks.onFailure(error, again);
      }
    };
    return this.go(next, { push, mend });
  }

  // Playing

  /** Runs an action, such as a move, once the moves before it have been answered. */
  inTurn(action) {
    this.turns = this.turns.then(async () => {
      await this.arrived();
      await action();
    }).catch((error) => this.hooks.onFailure(error));
  }

  /** Plays a move in the current position. Later moves of the game are dropped, unless it
   * is the same move. */
  play(letter, { push = true } = {}) {
    const { moves, ply } = this.state;
    if (moves[ply] === letter) return this.go({ ...this.state, ply: ply + 1 });
    return this.go({ ...this.state, moves: moves.slice(0, ply) + letter, ply: ply + 1 }, { push });
  }

  /** Takes back the last move, and an opponent's reply with it. */
  undo() {
    const { state } = this;
    const ply = this.undoPly();
    if (ply === null) return;
    if (this.redoPly() === null) this.undone = { ...state, lengths: [] };
    this.undone.lengths.push(state.moves.length);
    this.go({ ...state, moves: state.moves.slice(0, ply), ply }, { push: true });
  }

  /** Plays again what was taken back last. */
  redo() {
    const ply = this.redoPly();
    if (ply !== null) this.go({ ...this.state, moves: this.undone.moves.slice(0, ply), ply }, { push: true });
  }

  /** The length of the game after `redo`; null if nothing was taken back from it. */
  redoPly() {
    const { undone, state } = this;
    if (!undone || !states.sameGame(state, states.upTo(undone, state.moves.length))) return null;
    const lengths = undone.lengths.filter((length) => length > state.moves.length);
    return lengths.length > 0 ? Math.min(...lengths) : null;
  }

  /** The ply to go back to: before the last move, or before the user's last move. */
  undoPly() {
    for (let ply = this.game.positions.length - 2; ply >= 0; ply--) {
      if (!this.opponentMoves(this.game.positions[ply].to_move)) return ply;
    }
    return null;
  }

  // Questions about the position

  /** Drops the open questions. */
  leave() {
    this.questions.abort();
    this.open = NO_QUESTIONS;
  }

  /** Asks for all that is not known about the position, and for the opponent's move. */
  ask() {
    this.leave();
    this.questions = new AbortController();
    const { signal } = this.questions;
    this.askAll(signal).catch((error) => {
      if (signal.aborted) return;
      this.hooks.show();
      this.hooks.onFailure(error, () => this.ask());
    });
  }

  async askAll(signal) {
    if (this.editor.active) return this.hooks.show();
    const replies = this.opponentsTurn() && this.atEnd();
    // The server searches for one question at a time.
    if (replies) this.review.stop();
    const tables = this.question("tables", () => this.askTables(signal), signal);
    const other = replies
      ? this.question("reply", () => this.askReply(signal), signal)
      : this.question("engine", () => this.askEngine(signal), signal);
    // Both are awaited below; until then a failure is not lost.
    other.catch(() => {});
    // Values that arrive soon are shown at once, so that the page does not flicker.
    await Promise.race([tables.catch(() => {}), pause(SHOW_DELAY)]);
    if (signal.aborted) return undefined;
    this.hooks.show();
    await tables.catch(() => {});
    if (signal.aborted) return undefined;
    this.hooks.show();
    this.hooks.announce();
    return Promise.all([tables, other]);
  }

  /** Asks a question, and notes that it is open. */
  async question(name, run, signal) {
    this.open = { ...this.open, [name]: true };
    try {
      return await run();
    } finally {
      if (!signal.aborted) {
        this.open = { ...this.open, [name]: false };
        this.hooks.onLearn();
      }
    }
  }

  /** Asks for the moves and the best line, if they did not come with the position. */
  async askTables(signal) {
    const { state } = this;
    const isKnown = this.knowledge.position(state.rules, this.position().position);
    if (!this.outcome() && !isKnown) await this.learn(states.upTo(state, state.ply), signal);
  }

  /** Whether the engine estimates the position. */
  needsEngine() {
    return !this.outcome() && this.hints() && this.position().value === null;
  }

  /** Asks the engine where the tables do not know the position. */
  async askEngine(signal, time = THINKING) {
    const { state } = this;
    if (!this.needsEngine() || this.paused || this.review.running || this.estimate()?.searched >= time) return;
    const learn = (info, searched) => {
      const [best] = info.lines;
      if (signal.aborted || !best) return;
      const { net, exact, result } = best;
      this.knowledge.addEstimate(state, state.ply, { ...info, net, exact, result, searched });
      this.hooks.onLearn();
    };
    const asked = { lines: ALL_MOVES, movetime: time };
    learn(await api.analysis(states.upTo(state, state.ply), asked, (info) => learn(info, 0), signal), time);
    this.hooks.announce();
  }

  /** Whether the engine can search longer than it has. */
  canThinkLonger() {
    const estimate = this.estimate();
    return !this.open.engine && Boolean(estimate) && !estimate.exact && !(estimate.searched >= LONGER);
  }

  /** Lets the engine search the position for a longer time. */
  thinkLonger() {
    const { signal } = this.questions;
    this.paused = false;
    this.question("engine", () => this.askEngine(signal, LONGER), signal)
      .catch((error) => !signal.aborted && this.hooks.onFailure(error, () => this.thinkLonger()));
    this.hooks.onLearn();
  }

  /** Lets the engine rest, or go on. */
  pause() {
    this.paused = !this.paused;
    this.ask();
  }

  /** Asks the opponent, and plays its move. */
  async askReply(signal) {
    const letter = await views.current().opponent.reply(states.upTo(this.state, this.state.ply), signal);
    // A click of the user comes first; if it was refused, the move still counts.
    await this.arrived();
    if (signal.aborted) return;
    this.open = { ...this.open, reply: false };
    // The user's move and the reply are one step of the browser's history.
    this.play(letter, { push: false });
  }
}

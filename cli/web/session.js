// The game that the page shows: going to another state, and the questions about the
// position. Every state is in the address, and the server has accepted its game.

import * as api from "./api.js";
import * as states from "./state.js";
import * as views from "./views.js";

/** Number of moves to request for the best line. */
const LINE_PLIES = 12;
/** The best moves that the engine tells, and its time in milliseconds. */
const ANALYSIS = { lines: 3, movetime: 6000 };
/** Milliseconds to wait for values before showing a position without them. */
const SHOW_DELAY = 80;

const NO_QUESTIONS = { tables: false, engine: false, reply: false };
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

export class Session {
  /** `parts` are the knowledge, the review and the editor. `hooks` are
   * called when something happens: `onArrive` when a state is shown, `onRefuse` when the
   * server did not accept one, `onFailure` with an error and a function to try again,
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
    const same = this.game && states.sameGame(next, this.state);
    const found = same ? this.game : await api.game(next, signal);
    signal.throwIfAborted();
    this.game = found;
    // A state that names no view stays in the view.
    const { view, query } = next.view ? next : this.state ?? { view: views.DEFAULT };
    const ply = Math.min(next.ply, found.positions.length - 1);
    this.state = { ...next, view, query: query ?? {}, start: found.start, ply };
    states.write(this.state, { push });
    this.review.keep(this.state);
    this.hooks.onArrive();
    this.ask();
    return true;
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

  /** Asks the tables for the moves and the best line. */
  async askTables(signal) {
    const { rules } = this.state;
    const { position, value } = this.position();
    if (this.outcome() || value === null || this.knowledge.table(rules, position)) return;
    const [probe, line] = await Promise.all([
      api.probe(rules, position, signal),
      api.mainline(rules, position, LINE_PLIES, signal),
    ]);
    signal.throwIfAborted();
    this.knowledge.addTable(rules, position, { probe, line });
  }

  /** Asks the engine where the tables do not know the position. */
  async askEngine(signal) {
    const { state } = this;
    if (this.outcome() || !this.hints() || this.position().value !== null) return;
    if (this.review.running || this.estimate()?.finished) return;
    const learn = (info, finished) => {
      const [best] = info.lines;
      if (signal.aborted || !best) return;
      const { net, exact, result } = best;
      this.knowledge.addEstimate(state, state.ply, { ...info, net, exact, result, finished });
      this.hooks.onLearn();
    };
    learn(await api.analysis(states.upTo(state, state.ply), ANALYSIS, (info) => learn(info, false), signal), true);
    this.hooks.announce();
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

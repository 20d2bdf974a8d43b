// The view of the puzzles: which puzzle the address names, the moves of the player, and the
// hardest defence against them. The cards are in `puzzles-card.js`.

import * as api from "./api.js";
import { noteSolved, solved } from "./lesson-progress.js";
import * as notice from "./notice.js";
import * as card from "./puzzles-card.js";
import { judge } from "./puzzles-judge.js";
import * as sets from "./puzzles-sets.js";
import { highest } from "./rulesets.js";
import { fresh } from "./state.js";
import { text } from "./texts.js";
import { Trainer, trainerState } from "./trainer.js";

/** The shortest time before North's move appears, in milliseconds. */
const PAUSE = 700;
/** The plies of a line to show. */
const LINE_PLIES = 12;

export class Puzzles {
  /** `sowing` tells when seeds have arrived. */
  constructor(session, board, sowing) {
    Object.assign(this, { session, board, sowing });
    this.trainer = new Trainer(session, { onAnother: () => this.trainAnother(), onPuzzles: () => this.go(this.named?.query ?? {}) });
    this.forget(null);
    this.opponent = {
      moves: (player) => (this.training() ? this.trainer.moves(player) : player === "north" && !this.revealed),
      reply: (game, signal) => this.reply(game, signal),
    };
    card.listen({
      again: () => this.tryAgain(),
      show: () => this.showSolution(),
      next: () => this.next(),
      begin: () => this.next(),
      analyse: () => this.analyse(),
      train: () => this.train(session.state),
      trainer: () => this.trainAnother(),
      day: (day) => this.go({ day }),
      rules: (rules) => this.go(this.named.query, rules),
      choose: ({ theme, grade }) => this.go({ theme, grade, n: 1 }),
      step: (step) => this.step(step),
      line: (ply) => this.goAlong(ply),
    });
  }

  /** Forgets what was said about the former puzzle. */
  forget(named) {
    /** The puzzle, its set and how the address names it. */
    this.named = named;
    /** What the moves have come to. */
    this.judged = null;
    /** The moves with best play after them. */
    this.line = "";
    /** Whether a wrong move was played, or the solution was shown. */
    this.missed = false;
    /** Whether the values are shown. */
    this.revealed = false;
    /** Whether the player has played a move; a link may have moves, too. */
    this.tried = false;
  }

  training() {
    return this.session.state?.query.trainer !== undefined;
  }

  // Which puzzle

  /** The state of the puzzle that the address names by a day, or by a place in a set. */
  async open(state) {
    const rules = sets.RULES.includes(state.rules) ? state.rules : sets.RULES[0];
    try {
      const { puzzle, query } = this.find(await sets.load(rules), state.query);
      return { view: "puzzles", rules, start: puzzle.start, moves: "", ply: 0, query };
    } catch (error) {
      this.failure = error;
      return { view: "puzzles", ...fresh(rules), query: { failed: "1" } };
    }
  }

  /** The puzzle of a query in a set, with its place. */
  find(set, { day, theme, grade, n }) {
    if (theme === undefined && grade === undefined && n === undefined) {
      const valid = day !== undefined && sets.isDay(day) ? day : sets.today();
      return { set, puzzle: sets.ofDay(set, valid), day: valid, query: { day: valid } };
    }
    const chosen = sets.choose(set, { theme, grade });
    const puzzles = chosen.length > 0 ? chosen : set;
    const number = Math.min(Math.max(Math.trunc(Number(n)) || 1, 1), puzzles.length);
    const query = chosen.length > 0 ? { theme: theme ?? "", grade: grade ?? "" } : {};
    const named = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""));
    return { set, puzzle: puzzles[number - 1], puzzles, number, theme, grade, query: { ...named, n: String(number) } };
  }

  /** Goes to the puzzle of a query. */
  async go(query, rules = this.session.state.rules) {
    this.session.go(await this.open({ rules, query }), { push: true });
  }

  /** Another state is shown: its moves are judged, or the puzzle that it names is opened. */
  async arrive(state) {
    this.judged = null;
    this.board.turn(this.training() && this.trainer.player() === "north");
    if (this.training()) return;
    if (state.query.failed) {
      this.session.hooks.onFailure(this.failure, () => this.go({}));
      return;
    }
    try {
      const known = sets.RULES.includes(state.rules);
      const named = known ? this.find(await sets.load(state.rules), state.query) : null;
      if (state !== this.session.state) return;
      if (named?.puzzle.start !== state.start) {
        if (!known) notice.show(text.puzzles.otherRules(sets.RULES[0]), { calm: true });
        this.session.go(await this.open(state));
        return;
      }
      if (this.named?.puzzle !== named.puzzle) this.forget(named);
      this.named = named;
      await this.judge(state);
    } catch (error) {
      if (state === this.session.state) this.session.hooks.onFailure(error, () => this.arrive(state));
    }
  }

  // The moves

  async judge(state) {
    const { puzzle, day } = this.named;
    const { game } = this.session;
    const judged = await judge(puzzle, game, state.ply);
    if (state !== this.session.state) return;
    this.judged = judged;
    if (judged.phase === "wrong") this.missed = true;
    if (judged.phase === "solved" && !this.revealed) {
      if (this.tried) noteSolved(puzzle, this.missed ? "later" : "first", day);
      this.revealed = true;
      // The values at the pits.
      this.session.ask();
    }
    this.show();
    await this.findLine(state);
    this.show();
  }

  /** Finds the best play after the moves: from the file as far as they follow it. */
  async findLine(state) {
    const { puzzle } = this.named;
    const { positions, moves } = this.session.game;
    const played = moves.slice(0, state.ply);
    if (puzzle.line.startsWith(played)) {
      this.line = puzzle.line;
      return;
    }
    const { position, value } = positions[state.ply];
    if (this.line.startsWith(played) && this.line.length > played.length) return;
    const after = value === null ? "" : (await api.mainline(puzzle.rules, position, LINE_PLIES)).letters;
    if (state === this.session.state) this.line = played + (after ?? "");
  }

  /** Plays a move of the player. */
  play(letter) {
    if (!this.training() && this.judged?.phase === "wrong" && !this.revealed) {
      notice.show(text.puzzles.finished, { label: text.puzzles.again, run: () => this.tryAgain(), calm: true });
      this.session.hooks.onRefuse();
      return undefined;
    }
    this.tried = true;
    return this.session.play(letter);
  }

  /** North's move: the best one, by the file or by the tables. */
  async reply(game, signal) {
    const pause = new Promise((resolve) => setTimeout(resolve, PAUSE));
    const line = this.training() ? "" : this.named?.puzzle.line ?? "";
    const next = line.startsWith(game.moves) ? line[game.moves.length] : undefined;
    const letter = next ?? await this.bestReply(game, signal);
    await Promise.all([pause, this.sowing.done]);
    signal.throwIfAborted();
    return letter;
  }

  /** The best move of the tables, or else of the engine. */
  async bestReply(game, signal) {
    const { position, value } = this.session.position();
    if (value !== null) return (await api.probe(game.rules, position, signal)).moves[0].letter;
    return (await api.reply(game, { opponent: "perfect" }, signal)).letter;
  }

  /** Whether values are shown: after the solution. */
  hints() {
    return !this.training() && this.revealed;
  }

  // The buttons

  /** Goes back to the position before the wrong move, or to the first one. */
  tryAgain() {
    const { state } = this.session;
    const ply = this.judged?.phase === "wrong" && !this.revealed ? this.judged.at : 0;
    this.revealed = false;
    this.session.go({ ...state, moves: state.moves.slice(0, ply), ply }, { push: true });
  }

  /** Plays the right move, and shows the values and the line. */
  showSolution() {
    const { at, right } = this.judged ?? {};
    if (!right) return;
    this.missed = true;
    this.revealed = true;
    const { state } = this.session;
    const played = state.moves.slice(0, at) + right.letter;
    const { line } = this.named.puzzle;
    this.session.go({ ...state, moves: line.startsWith(played) ? line : played, ply: at + 1 }, { push: true });
  }

  /** Shows a position of the line. */
  goAlong(ply) {
    this.revealed = true;
    this.session.go({ ...this.session.state, moves: this.line, ply });
  }

  /** The next puzzle of the set that is not solved, or the next one. After a puzzle of the
   * day, the first one of the set. */
  next() {
    const { puzzles = this.named.set, number = 0, query } = this.named;
    const { day, ...set } = query;
    const order = [...puzzles.keys()].map((index) => (number + index) % puzzles.length);
    const index = order.find((one) => !solved(puzzles[one])) ?? order[0];
    this.go({ ...set, n: index + 1 });
  }

  step(step) {
    const { puzzles, number, query } = this.named;
    this.go({ ...query, n: ((number - 1 + step + puzzles.length) % puzzles.length) + 1 });
  }

  analyse() {
    const { rules, start } = this.session.state;
    this.session.go({ view: "analyse", rules, start, moves: "", ply: 0, query: {} }, { push: true });
  }

  train({ rules, start }) {
    this.session.go(trainerState(rules, start), { push: true });
  }

  /** Trains another endgame of the set: one that is won for certain, and that the
   * tables reach. */
  async trainAnother() {
    const { state } = this.session;
    const rules = sets.RULES.includes(state.rules) ? state.rules : sets.RULES[0];
    try {
      const set = await sets.load(rules);
      const most = highest(rules) ?? 0;
      const won = set.filter(({ values, solution, seeds, theme }) => (
        values[solution] > 0 && seeds <= most && theme !== "loop-trap"));
      this.train(won[Math.floor(Math.random() * won.length)]);
    } catch (error) {
      this.session.hooks.onFailure(error, () => this.trainAnother());
    }
  }

  /** Shows the cards. */
  show() {
    card.choose(this.training());
    if (this.training()) this.trainer.show();
    else if (this.named) card.show(this.named, this.told());
  }

  /** What the card tells about the moves. */
  told() {
    const { missed, revealed, line, session } = this;
    const { game, state } = session;
    // Nothing is said before the seeds have arrived.
    const judged = this.sowing.moving ? null : this.judged;
    return { judged, missed, revealed, line, ply: state.ply, moves: state.moves, positions: game.positions };
  }
}

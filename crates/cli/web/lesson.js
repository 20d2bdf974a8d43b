// A lesson from a review: the key moments of the game, where the player is to find a better
// move than the one that was played.

import * as api from "./api.js";
import { moveText, numberOf } from "./move-list.js";
import * as states from "./state.js";
import { text } from "./texts.js";

const element = (id) => document.getElementById(id);
/** The least loss, exact or estimated, that makes a key moment. */
const LEAST_LOSS = 1;
const LEAST_ESTIMATE = 1.5;
/** An estimate that is at most so much lower is as good. */
const TOLERANCE = 0.5;
/** How long the engine judges a move above the tables, in milliseconds. */
const JUDGING = 2000;

/** The plies before the moves that gave away most, in the order of play. */
export function keyMoments({ moves, summary }) {
  const plies = summary.key_moments.map((after) => after - 1);
  return plies.filter((ply) => moves[ply].loss >= (moves[ply].exact ? LEAST_LOSS : LEAST_ESTIMATE));
}

/** What a move gave away, in words. */
export function amountOf(loss, exact) {
  return text.lesson.seeds(exact ? Math.round(loss) : Number(loss.toFixed(1)), exact);
}

export class Lesson {
  constructor(session) {
    this.session = session;
    /** The ply at which a better move is to be found; null if there is no such task. */
    this.ply = null;
    /** The state in which it was asked for. */
    this.game = null;
    /** The move that was tried last, and what it gave away; null before a try. */
    this.tried = null;
    element("moment-show").addEventListener("click", () => this.reveal());
    element("moment-next").addEventListener("click", () => this.next());
    element("moment-close").addEventListener("click", () => this.close());
  }

  /** Whether the player is to find a move: values are hidden then. */
  get asks() {
    return this.ply !== null && !this.solved();
  }

  solved() {
    return this.tried !== null && (this.tried.shown || this.keeps(this.tried));
  }

  keeps({ loss, exact }) {
    return loss !== null && (exact ? loss === 0 : loss < TOLERANCE);
  }

  /** Shows the position before a move, and asks for a better one. */
  async begin(ply) {
    this.ply = ply;
    this.tried = null;
    this.game = this.session.state;
    await this.session.go({ ...this.session.state, ply });
    this.show();
    // The list of moments is hidden now, and may be far below the board.
    element("moment").focus({ preventScroll: true });
    element("board").scrollIntoView({ block: "nearest" });
  }

  close() {
    this.ply = null;
    this.session.ask();
  }

  /** Another state is shown: the task stays with its position. */
  arrive(state) {
    if (this.ply !== null && !(state.ply === this.ply && states.sameGame(state, this.game))) this.ply = null;
  }

  review() {
    return this.session.knowledge.review(this.session.state);
  }

  next() {
    const moments = keyMoments(this.review());
    this.begin(moments[(moments.indexOf(this.ply) + 1) % moments.length]);
  }

  /** Judges a move that the player tries. */
  async play(letter) {
    const { session, ply } = this;
    const { state } = session;
    session.hooks.onRefuse();
    if (letter === session.game.moves[ply]) {
      this.tried = { letter, played: true, loss: null };
    } else {
      this.tried = { letter, loss: null };
      this.show();
      const found = await this.lossOf(state, letter);
      if (state !== session.state || this.ply !== ply) return;
      this.tried = { letter, ...found };
    }
    if (this.solved()) session.ask();
    this.show();
  }

  /** What a move gives away, from the tables or else from a search. */
  async lossOf(state, letter) {
    const { position, value } = this.session.position();
    if (value !== null) {
      const { moves } = await api.probe(state.rules, position);
      const mine = moves.find((move) => move.letter === letter);
      const exact = [moves[0], mine].every(({ lower, upper }) => lower === upper);
      return { loss: moves[0].value - mine.value, exact };
    }
    if (letter === this.best()) return { loss: 0, exact: false };
    const { lines } = await api.analysis(states.upTo(state, state.ply), { lines: 6, movetime: JUDGING }, () => {});
    const mine = lines.find((line) => line.letters[0] === letter);
    return { loss: Math.max(lines[0].score - mine.score, 0), exact: lines[0].exact && mine.exact };
  }

  /** The best move of the review. */
  best() {
    return this.review()?.positions[this.ply].line[0];
  }

  /** Shows the better move, with the values. */
  reveal() {
    this.tried = { letter: this.best(), shown: true, loss: 0 };
    this.session.ask();
    this.show();
  }

  /** Shows the card, if there is a task. */
  show() {
    const { session, ply } = this;
    const review = ply === null ? null : this.review();
    document.body.classList.toggle("asks", Boolean(review) && this.asks);
    element("moment").hidden = !review;
    if (!review) return;
    const turn = session.game.positions[ply + 1].turn;
    element("moment-name").textContent = text.lesson.moment(numberOf(session.game, ply), turn.player);
    element("moment-told").textContent = this.told(review.moves[ply], turn);
    element("moment-told").dataset.phase = this.tried ? (this.solved() ? "solved" : "wrong") : "";
    element("moment-show").hidden = this.solved();
    element("moment-next").hidden = !this.solved() || keyMoments(review).length < 2;
  }

  told({ loss, exact }, turn) {
    const { tried } = this;
    if (!tried) return text.lesson.played(moveText(turn), amountOf(loss, exact));
    if (tried.shown) return text.lesson.better(tried.letter);
    if (tried.played) return text.lesson.same(tried.letter, amountOf(loss, exact));
    if (tried.loss === null) return text.lesson.judging(tried.letter);
    if (this.keeps(tried)) return tried.exact ? text.lesson.keeps(tried.letter) : text.lesson.keepsAbout(tried.letter);
    return text.lesson.gives(tried.letter, amountOf(tried.loss, tried.exact));
  }
}

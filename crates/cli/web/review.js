// The review of a whole game: estimates of all its positions, and marks for its moves. It is
// kept in this browser, and goes with a link.

import * as api from "./api.js";
import { showReview } from "./lesson-card.js";
import { amountOf } from "./lesson.js";
import * as store from "./lesson-store.js";
import { SIGNS } from "./move-list.js";
import { sameGame, write } from "./state.js";
import { text } from "./texts.js";

const element = (id) => document.getElementById(id);
/** Milliseconds for each position. */
const MOVE_TIME = 150;
/** The marks, and from how many seeds given away they apply. */
const MARKS = { blunder: 6, mistake: 3, inaccuracy: 1.5 };

/** The mark of a move that gave seeds away, or null. */
function markOf(loss) {
  // As it is shown, with one decimal.
  const shown = Number(loss.toFixed(1));
  return Object.keys(MARKS).find((mark) => shown >= MARKS[mark]) ?? null;
}

/** A position of a review, from its event. */
function positionOf({ net, exact, line, depth }) {
  return { net, exact, line: line ?? "", depth };
}

/** A move of a review, from its event. */
function moveOf({ loss, exact, mark }) {
  return { loss, exact, turning: mark === "turning-point" };
}

export class Review {
  /** Adds what it learns to `knowledge`, and calls `onChange` after each answer. `onMoment` is
   * called with the ply of a key moment. */
  constructor(knowledge, { onChange, onMoment }) {
    this.knowledge = knowledge;
    this.onChange = onChange;
    this.onMoment = onMoment;
    this.running = null;
  }

  /** Reviews a game. */
  async start(game) {
    this.stop();
    const controller = new AbortController();
    const running = { game, controller, done: 0 };
    this.running = running;
    this.onChange();
    const review = { positions: [], moves: [] };
    const onPosition = (data) => {
      review.positions[data.ply] = positionOf(data);
      // A stream may begin again.
      running.done = review.positions.filter(Boolean).length;
      this.learnPosition(game, data.ply, review);
      this.onChange();
    };
    const onMove = (data) => {
      review.moves[data.ply - 1] = moveOf(data);
      this.learnMove(game, data.ply, review);
      this.onChange();
    };
    try {
      const handlers = { onPosition, onMove };
      review.summary = await api.review(game, { movetime: MOVE_TIME }, handlers, controller.signal);
      // The figures of both players are not in answers of an older module.
      if (!store.isReview(review, game.moves.length)) return;
      this.knowledge.addReview(game, review);
      store.keep(game, review);
    } finally {
      if (this.running === running) this.running = null;
      this.onChange();
    }
  }

  learnPosition(game, ply, { positions }) {
    const { net, exact, line, depth } = positions[ply];
    const lines = line ? [{ letters: line, net, exact, result: null }] : [];
    this.knowledge.addEstimate(game, ply, { net, exact, depth, result: null, lines });
  }

  learnMove(game, ply, { moves }) {
    const move = moves[ply - 1];
    this.knowledge.addReviewedMove(game, ply, { ...move, mark: markOf(move.loss) });
  }

  stop() {
    this.running?.controller.abort();
    this.running = null;
  }

  /** A game is shown: a review of another one is stopped, and that of this one is found again,
   * in the link or in this browser. */
  keep(state) {
    if (this.running && !sameGame(this.running.game, state)) this.stop();
    if (state.query.review !== undefined) this.takeFromLink(state);
    else if (!this.running && !this.knowledge.review(state)) this.adopt(state, store.kept(state));
  }

  /** Takes over the review of a link, and leaves it out of the address from then on. */
  async takeFromLink(state) {
    const { review: code, ...query } = state.query;
    state.query = query;
    write(state);
    this.adopt(state, await store.fromCode(code, state.moves.length) ?? store.kept(state));
  }

  /** Shows a review that was made before. */
  adopt(game, review) {
    if (!review) return;
    review.positions.forEach((_, ply) => this.learnPosition(game, ply, review));
    review.moves.forEach((_, index) => this.learnMove(game, index + 1, review));
    this.knowledge.addReview(game, review);
    store.keep(game, review);
    this.onChange();
  }

  /** The parameter of a link for the review of a game; none if there is no review, or if it
   * does not fit. */
  async linkQuery(state) {
    const review = this.knowledge.review(state);
    const code = review && await store.toCode(review);
    return code ? { review: code } : {};
  }

  /** What the review says about a move of a game that its text does not say yet, as remarks
   * of the text. `ply` is that of the move, `remarks` are those of the text. */
  remarks(state, ply, remarks) {
    const review = this.knowledge.review(state);
    if (!review) return [];
    const { loss, exact } = review.moves[ply - 1];
    const mark = markOf(loss);
    const better = review.positions[ply - 1].line;
    const comment = (mark || (exact && loss > 0)) && better ? text.lesson.comment(amountOf(loss, exact), better) : "";
    const isKnown = remarks.some((remark) => remark.comment?.includes(comment));
    return [
      ...(mark && !remarks.some(({ sign }) => sign) ? [{ sign: SIGNS[mark] }] : []),
      ...(comment && !isKnown ? [{ comment: ` ${comment} ` }] : []),
    ];
  }

  /** Shows the button, and the summary of a game that has been reviewed. */
  show(state, game, hints) {
    const button = element("review");
    const all = game.positions.length;
    button.textContent = this.running ? text.game.reviewing(this.running.done, all) : text.game.review;
    button.setAttribute("aria-disabled", String(all < 2));
    const review = this.knowledge.review(state);
    element("lesson").hidden = !review || !hints;
    if (review) showReview(review, game, markOf, this.onMoment);
  }
}

// The review of a whole game: estimates of all its positions, and marks for its moves. It is
// kept in this browser, and goes with a link.

import { addressed, sameGame, upTo, write } from "./address.js";
import * as api from "./api.js";
import * as keptGames from "./kept-games.js";
import { SIGNS } from "./move-list.js";
import * as store from "./review-store.js";
import { PROGRESS_DELAY, state, update } from "./state.js";
import { text } from "./texts.js";

/** Nodes of the search for each position, first and deeper. They give the same marks on every
 * device that has the same tables. */
const NODES = [100_000, 1_000_000];
/** The marks, and from how many seeds given away they apply. */
const MARKS = { blunder: 6, mistake: 3, inaccuracy: 1.5 };
/** The least loss, exact or estimated, that makes a key moment. */
const LEAST_LOSS = 1;
const LEAST_ESTIMATE = 1.5;

/** The nodes of a review that goes deeper than another one; undefined if there is none. */
export const deeper = (review) => NODES.find((nodes) => nodes > (review?.nodes ?? 0));

/** The mark of a move that gave seeds away, or null. */
export function markOf(loss) {
  // As it is shown, with one decimal.
  const shown = Number(loss.toFixed(1));
  return Object.keys(MARKS).find((mark) => shown >= MARKS[mark]) ?? null;
}

/** The plies before the moves that gave away most, in the order of play. */
export function keyMoments({ moves, summary }) {
  const plies = summary.key_moments.map((after) => after - 1);
  return plies.filter((ply) => moves[ply].loss >= (moves[ply].exact ? LEAST_LOSS : LEAST_ESTIMATE));
}

/** What a move gave away, in words. */
export function amountOf(loss, exact) {
  return text.lesson.seeds(exact ? Math.round(loss) : Number(loss.toFixed(1)), exact);
}

/** A position of a review, from its event. */
function positionOf({ net, exact, line, depth }) {
  return { net, exact, line: line ?? "", depth };
}

/** A move of a review, from its event. */
function moveOf({ loss, exact, mark }) {
  return { loss, exact, turning: mark === "turning-point" };
}

/** Reviews the game that is shown, deeper than before. */
export async function start() {
  stop();
  const game = upTo(state);
  const nodes = deeper(state.knowledge.review(game)) ?? NODES.at(-1);
  const reviewing = { game, controller: new AbortController(), done: 0 };
  const { signal } = reviewing.controller;
  update({ reviewing });
  const review = { nodes, positions: [], moves: [] };
  const onPosition = (data) => {
    review.positions[data.ply] = positionOf(data);
    // A stream may begin again.
    reviewing.done = review.positions.filter(Boolean).length;
    learnPosition(game, data.ply, review);
    update({}, PROGRESS_DELAY);
  };
  const onMove = (data) => {
    review.moves[data.ply - 1] = moveOf(data);
    learnMove(game, data.ply, review);
    update({}, PROGRESS_DELAY);
  };
  try {
    review.summary = await api.review(game, nodes, { onPosition, onMove }, signal);
    // The figures of both players are not in answers of an older module.
    if (!store.isReview(review, game.moves.length)) return;
    keep(game, review);
  } finally {
    if (state.reviewing === reviewing) update({ reviewing: null });
  }
}

function learnPosition(game, ply, { positions }) {
  const { net, exact, line, depth } = positions[ply];
  const lines = line ? [{ letters: line, net, exact, result: null }] : [];
  state.knowledge.addEstimate(game, ply, { net, exact, depth, result: null, lines });
}

function learnMove(game, ply, { moves }) {
  const move = moves[ply - 1];
  state.knowledge.addReviewedMove(game, ply, { ...move, mark: markOf(move.loss) });
}

export function stop() {
  if (!state.reviewing) return;
  state.reviewing.controller.abort();
  update({ reviewing: null });
}

/** A game is shown: a review of another one is stopped, and that of this one is found again,
 * in the link or in this browser. */
export function arrive() {
  if (state.reviewing && !sameGame(state.reviewing.game, state)) stop();
  if (state.query.review !== undefined) takeFromLink();
  else if (!state.reviewing && !state.knowledge.review(state)) adopt(upTo(state), store.kept(state));
}

/** Takes over the review of a link, and leaves it out of the address from then on. */
async function takeFromLink() {
  const { review: code, ...query } = state.query;
  const game = upTo(state);
  update({ query });
  write(addressed(state));
  adopt(game, await store.fromCode(code, game.moves.length) ?? store.kept(game));
}

/** Shows a review that was made before. */
function adopt(game, review) {
  if (!review) return;
  review.positions.forEach((_, ply) => learnPosition(game, ply, review));
  review.moves.forEach((_, index) => learnMove(game, index + 1, review));
  keep(game, review);
  update();
}

function keep(game, review) {
  state.knowledge.addReview(game, review);
  store.keep(game, review);
  keptGames.noteReview(game, review.summary);
}

/** The parameter of a link for the review of the game; none if there is no review, or if it
 * does not fit. */
export async function linkQuery() {
  const review = state.knowledge.review(state);
  const code = review && await store.toCode(review);
  return code ? { review: code } : {};
}

/** What the review says about the move before a ply that the text of the game does not say yet,
 * as remarks of the text, whose own ones are `remarks`. */
export function remarksAt(ply, remarks) {
  const review = state.knowledge.review(state);
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

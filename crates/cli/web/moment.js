// A key moment of a review: the player is to find a better move than the one that was played.
//
// The `moment` of the state is its `ply`, the `game`, and the move that was `tried` last: its
// letter and what it gave away; null before a try.

import { sameGame, upTo } from "./address.js";
import * as api from "./api.js";
import { element, setText } from "./dom.js";
import { ask, go } from "./going.js";
import { moveText, numberOf } from "./move-list.js";
import { amountOf, keyMoments } from "./review.js";
import { drawChanges, position, state, update } from "./state.js";
import { text } from "./texts.js";

/** An estimate that is at most so much lower is as good. */
const TOLERANCE = 0.5;
/** How long the engine judges a move above the tables, in milliseconds. */
const JUDGING = 2000;

function keeps({ loss, exact }) {
  return loss !== null && (exact ? loss === 0 : loss < TOLERANCE);
}

function isSolved({ tried }) {
  return tried !== null && (tried.shown || keeps(tried));
}

/** Whether the player is to find a move: values are hidden then. */
export function asks() {
  return state.moment !== null && !isSolved(state.moment);
}

const reviewHere = () => state.knowledge.review(state);

/** The best move of the review. */
function best(ply) {
  return reviewHere()?.positions[ply].line[0];
}

/** Shows the position before a move, and asks for a better one. */
export async function begin(ply) {
  const moment = { ply, game: upTo(state), tried: null };
  update({ moment });
  await go({ ply });
  if (state.moment !== moment) return;
  // The list of moments is hidden now, and may be far below the board.
  drawChanges();
  element("moment").focus({ preventScroll: true });
  element("board").scrollIntoView({ block: "nearest" });
}

export function close() {
  update({ moment: null });
  ask();
}

/** Another position is shown: the task stays with its own. */
export function arrive() {
  const { moment } = state;
  if (moment && !(state.ply === moment.ply && sameGame(state, moment.game))) update({ moment: null });
}

export function next() {
  const moments = keyMoments(reviewHere());
  return begin(moments[(moments.indexOf(state.moment.ply) + 1) % moments.length]);
}

/** Judges a move that the player tries. */
export async function play(letter) {
  const { moment, game } = state;
  const played = letter === game.moves[moment.ply];
  const trying = { ...moment, tried: { letter, played, loss: null } };
  update({ moment: trying, asked: null });
  if (!played) {
    const found = await lossOf(letter);
    // Another move is tried, or the task is over.
    if (state.moment !== trying) return;
    update({ moment: { ...moment, tried: { letter, ...found } } });
  }
  if (!asks()) ask();
}

/** What a move gives away, from the tables or else from a search. */
async function lossOf(letter) {
  const { position: board, value } = position();
  if (value !== null) {
    const { moves } = await api.probe(state.rules, board);
    const mine = moves.find((move) => move.letter === letter);
    const exact = [moves[0], mine].every(({ lower, upper }) => lower === upper);
    return { loss: moves[0].value - mine.value, exact };
  }
  if (letter === best(state.ply)) return { loss: 0, exact: false };
  const { lines } = await api.analysis(upTo(state, state.ply), { lines: 6, movetime: JUDGING }, () => {});
  const mine = lines.find((line) => line.letters[0] === letter);
  return { loss: Math.max(lines[0].score - mine.score, 0), exact: lines[0].exact && mine.exact };
}

/** Shows the better move, with the values. */
export function reveal() {
  const { moment } = state;
  update({ moment: { ...moment, tried: { letter: best(moment.ply), shown: true, loss: 0 } } });
  ask();
}

/** Shows the card, if there is a task. */
export function show() {
  const { moment, game } = state;
  const review = moment ? reviewHere() : null;
  document.body.classList.toggle("asks", Boolean(review) && asks());
  element("moment").hidden = !review;
  if (!review) return;
  const { ply, tried } = moment;
  const { turn } = game.positions[ply + 1];
  const solved = isSolved(moment);
  element("moment-name").textContent = text.lesson.moment(numberOf(game, ply), turn.player);
  setText("moment-told", told(tried, review.moves[ply], turn));
  element("moment-told").dataset.phase = tried ? (solved ? "solved" : "wrong") : "";
  element("moment-show").hidden = solved;
  element("moment-next").hidden = !solved || keyMoments(review).length < 2;
}

function told(tried, { loss, exact }, turn) {
  if (!tried) return text.lesson.played(moveText(turn), amountOf(loss, exact));
  if (tried.shown) return text.lesson.better(tried.letter);
  if (tried.played) return text.lesson.same(tried.letter, amountOf(loss, exact));
  if (tried.loss === null) return text.lesson.judging(tried.letter);
  if (keeps(tried)) return tried.exact ? text.lesson.keeps(tried.letter) : text.lesson.keepsAbout(tried.letter);
  return text.lesson.gives(tried.letter, amountOf(tried.loss, tried.exact));
}

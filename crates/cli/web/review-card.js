// The card of a review: its progress, how both players played, and the key moments, each with
// the task to find a better move.

import { element, makeRow, setText } from "./dom.js";
import * as moveList from "./move-list.js";
import { amountOf, deeper, keyMoments, markOf } from "./review.js";
import { atEnd, outcome, state } from "./state.js";
import { text } from "./texts.js";

const PLAYERS = ["south", "north"];

/** The moves of a player in a review. */
function movesOf(review, game, player) {
  return review.moves.filter((_, index) => game.positions[index + 1].turn.player === player);
}

function percent(accuracy) {
  return accuracy === null ? "–" : `${text.decimal(accuracy)} %`;
}

/** The rows of the table: a text, and a value for each player. */
function rows(review, game) {
  const played = PLAYERS.map((player) => review.summary.players[player]);
  const moves = PLAYERS.map((player) => movesOf(review, game, player));
  const count = (mark) => moves.map((own) => own.filter(({ loss }) => markOf(loss) === mark).length);
  return [
    [text.lesson.accuracy, played.map(({ accuracy }) => percent(accuracy))],
    [text.lesson.average, played.map(({ average_loss: loss }) => (loss === null ? "–" : text.decimal(loss)))],
    [text.lesson.only, played.map(({ only_moves_found: found, only_moves: all }) => (all === 0 ? "–" : text.lesson.onlyFound(found, all)))],
    ...["inaccuracy", "mistake", "blunder"].map((mark) => [text.lesson.marks[mark], count(mark)]),
  ];
}

function makeMoment(ply, review, game) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  const { turn } = game.positions[ply + 1];
  const number = moveList.numberOf(game, ply);
  const { loss, exact, turning } = review.moves[ply];
  button.type = "button";
  Object.assign(button.dataset, { action: "moment", ply });
  button.textContent = text.lesson.find;
  button.setAttribute("aria-label", text.lesson.findAt(number, turn.player));
  item.append(`${text.lesson.gaveAway(number, turn.player, moveList.moveText(turn), amountOf(loss, exact))}${turning ? ` ${text.lesson.turning}` : ""} `, button);
  return item;
}

/** Shows the button, the progress, and the summary of a game that has been reviewed. At the end
 * of the game, where the position has no moves, they stand in the place of those. */
export function show(hints) {
  const { game, knowledge, reviewing } = state;
  const all = game.positions.length;
  element("review").textContent = reviewing ? text.game.reviewing(reviewing.done, all) : text.game.review;
  element("review").setAttribute("aria-disabled", String(all < 2));
  const review = hints ? knowledge.review(state) : undefined;
  const shown = Boolean(review || reviewing);
  const [lesson, analysis] = ["lesson", "analysis"].map(element);
  lesson.hidden = !shown;
  analysis.hidden = shown && outcome() !== null;
  const [first, second] = atEnd() ? [lesson, analysis] : [analysis, lesson];
  if (first.nextElementSibling !== second) first.after(second);
  element("lesson-progress").hidden = !reviewing;
  element("lesson-summary").hidden = !review;
  if (reviewing) {
    setText("lesson-done", text.lesson.done(reviewing.done, all));
    Object.assign(element("lesson-bar"), { value: reviewing.done, max: all });
  }
  if (review) showReview(review, game);
}

function showReview(review, game) {
  element("review-deeper").hidden = deeper(review) === undefined || Boolean(state.reviewing);
  const list = element("lesson-moments");
  // The elements keep the focus as long as nothing changes.
  if (list.review === review && list.dataset.language === text.code) return;
  list.review = review;
  list.dataset.language = text.code;
  element("lesson-players").replaceChildren(...PLAYERS.map((player) => {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = text.players[player];
    return cell;
  }));
  element("lesson-players").prepend(document.createElement("td"));
  element("lesson-rows").replaceChildren(...rows(review, game).map(makeRow));
  const moments = keyMoments(review);
  list.replaceChildren(...moments.map((ply) => makeMoment(ply, review, game)));
  element("lesson-none").hidden = moments.length > 0;
}

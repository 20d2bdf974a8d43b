// The view for analysing: values of all moves, variations, a review, and key moments of it.

import { addressed, fresh, written } from "./address.js";
import * as card from "./analysis-card.js";
import { copyLink } from "./dialogs.js";
import { element } from "./dom.js";
import * as editor from "./editor.js";
import { examples, firstExample, randomEndgame, showExamples } from "./examples.js";
import { showGameCard } from "./game-card.js";
import * as games from "./games.js";
import * as going from "./going.js";
import * as moment from "./moment.js";
import { playersBefore } from "./move-list.js";
import * as notice from "./notice.js";
import { canThinkLonger } from "./questions.js";
import * as record from "./record.js";
import * as review from "./review.js";
import * as rulesets from "./rulesets.js";
import * as solver from "./solver.js";
import { drawChanges, needsEngine, outcome, position, shownMoves, state, update } from "./state.js";
import { change, settings } from "./storage.js";
import { facts, values } from "./telling.js";
import { text } from "./texts.js";
import { showDoor, trainerAddress } from "./trainer.js";

// The view

export function open(next) {
  return { ...next, ...firstExample(next.rules) };
}

export const arrive = moment.arrive;

export const northBelow = () => settings.flipped;

export const hints = () => settings.hints && !moment.asks();

export const play = (letter) => (moment.asks() ? moment.play(letter) : going.play(letter));

export function listen() {
  editor.listen();
  solver.begin();
}

export { editor, moment, record, review, solver };

export function show() {
  const { editing, game, paused, ply, rules } = state;
  const known = values();
  showDoor(element("train"), position(), Boolean(outcome()) || editing !== null);
  card.showValues(known, position(), facts());
  card.showLine(known, position(), playersBefore(game, ply));
  card.showButtons(known.moves.length > 0, settings.hints);
  card.showEngine(needsEngine(), { paused, canThinkLonger: canThinkLonger() });
  element("try").hidden = state.moves !== "";
  element("welcome").hidden = settings.welcomed;
  element("lines").value = settings.lines;
  showExamples(element("examples"), rules);
  moment.show();
  editor.show();
  showGameCard();
  record.showError();
  solver.show();
}

// What is shown

export function toggleHints() {
  change({ hints: !settings.hints });
  update();
  if (state.game) going.ask();
}

export function flip() {
  change({ flipped: !settings.flipped });
  update();
}

/** Starts the review of the game, or stops it. */
export async function toggleReview() {
  if (!state.game || state.game.positions.length < 2) return;
  if (state.reviewing) {
    review.stop();
    going.ask();
    return;
  }
  change({ hints: true });
  const reviewed = review.start();
  // The engine rests meanwhile.
  going.ask();
  drawChanges();
  element("lesson").scrollIntoView({ block: "nearest" });
  try {
    await reviewed;
    notice.announce(text.game.reviewed);
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  } finally {
    if (!state.reviewing) going.ask();
  }
}

/** Opens a game in this view, and reviews it unless that was done before. */
export async function reviewGame({ rules, start, moves }) {
  going.noteLeft();
  const shown = await going.load({ view: "analyse", rules, start, moves, ply: moves.length, query: {} }, { push: true });
  if (shown && !state.reviewing && !state.knowledge.review(state)) await toggleReview();
}

// Games

/** Begins a new game, from which a button leads back to the one before. */
export async function newGame() {
  if (!state.game) return;
  const had = state.moves !== "";
  games.begin(fresh(state.rules));
  const begun = await going.go(fresh(state.rules), { push: true });
  if (begun && had) notice.tell(text.notice.newGame, { label: text.notice.backToGame, call: ["history-back"], calm: true });
}

export function openExample(name) {
  const { rules } = state;
  const game = name === "random" ? randomEndgame(rules, rulesets.highest(rules)) : examples(rules)[name];
  return going.load({ ...game, view: "analyse", query: {} }, { push: true });
}

/** Lets the user play the position that is shown. */
export function playHere() {
  if (!state.game || outcome()) return undefined;
  return going.go({ view: "play", start: position().position, moves: "", ply: 0, query: {} }, { push: true });
}

export function train() {
  return going.go(trainerAddress(state.rules, position().position), { push: true });
}

/** The same board under other rules. */
export function changeRules(rules) {
  if (!state.game) return undefined;
  let start = outcome() ? state.start : position().position;
  if (state.editing) start = editor.notation(state.editing.draft);
  return going.go({ rules, start, moves: "", ply: 0 }, { push: true });
}

/** Copies a link to the position, with the review of its game if there is one. */
export async function share() {
  const query = { ...state.query, ...await review.linkQuery() };
  return copyLink(written({ ...addressed(state), query }), "share");
}

// Variations

/** Goes to the position after moves of the game or of a variation, and shows its line. */
export function goAlong(path) {
  return state.moves.startsWith(path) ? going.goTo(path.length) : showLine(path);
}

/** Shows the line through moves of the tree, at their last position. */
function showLine(path) {
  return going.go({ moves: state.tree.lineThrough(path), ply: path.length }, { push: true });
}

/** Goes to the next variation of the move that led here. */
export function goToNextVariation() {
  if (!state.tree || state.editing) return undefined;
  const choices = state.tree.choices(shownMoves());
  return choices.length > 1 ? goAlong(choices[(choices.indexOf(shownMoves()) + 1) % choices.length]) : undefined;
}

export function removeVariation() {
  const before = games.remove();
  return before === null ? undefined : showLine(before);
}

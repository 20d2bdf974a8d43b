// The rush: as many puzzles as one can in three minutes. The first move counts; each puzzle that is
// solved makes the next one harder.

import { element, setText } from "./dom.js";
import { go } from "./going.js";
import { bestRush, noteRush } from "./progress.js";
import { goalOf } from "./puzzles-card.js";
import { near } from "./puzzles-choice.js";
import { state, until, update } from "./state.js";
import { text } from "./texts.js";

/** How long a rush lasts, and how long an answer is shown, in milliseconds. */
const LENGTH = 180_000;
const RIGHT_PAUSE = 300;
const WRONG_PAUSE = 1200;
/** The rating of the first puzzle, and how much each solved one adds. */
const FIRST_RATING = 700;
const STEP = 60;

let timer = null;

/** Whether a rush goes on. */
export const runs = () => state.rush !== null && !state.rush.over;

function change(changes) {
  update({ rush: { ...state.rush, ...changes } });
}

/** Begins with a puzzle of a set. */
export function begin(set) {
  clearInterval(timer);
  timer = setInterval(tick, 250);
  update({
    rush: { set, rules: set[0].rules, ends: Date.now() + LENGTH, before: bestRush(set[0].rules), seen: [], solved: 0, missed: 0, told: "", phase: "", over: false },
  });
  return goOn();
}

/** Draws the time, and ends with it, or when the user has left. */
function tick() {
  const left = state.view !== "puzzles" || state.query.trainer !== undefined;
  if (left || state.rush === null) {
    clearInterval(timer);
    update({ rush: null });
  } else if (Date.now() >= state.rush.ends) stop();
  else update();
}

export function stop() {
  if (!runs()) return;
  clearInterval(timer);
  noteRush(state.rush.rules, state.rush.solved);
  change({ over: true, told: "", phase: "" });
}

/** Shows the puzzle from its start as any other one. */
export function close() {
  stop();
  update({ rush: null, puzzle: null });
  return go({ moves: "", ply: 0 });
}

/** Goes to a puzzle that was not there before. */
function goOn() {
  const { set, rules, seen, solved } = state.rush;
  const fresh = set.filter((one) => !seen.includes(one));
  const puzzle = near(fresh.length > 0 ? fresh : set, FIRST_RATING + STEP * solved, seen.at(-1)?.theme);
  change({ seen: [...seen, puzzle], counted: false });
  const query = { n: String(set.indexOf(puzzle) + 1) };
  return go({ view: "puzzles", rules, start: puzzle.start, moves: "", ply: 0, query });
}

/** Counts the first move of the puzzle, and goes to the next one once it was seen. */
export async function count(isRight) {
  const { seen, solved, missed, counted } = state.rush;
  if (counted) return;
  const { solution } = seen.at(-1);
  const counts = isRight ? { solved: solved + 1 } : { missed: missed + 1 };
  const told = isRight ? text.puzzles.right(solution) : text.puzzles.solution(solution);
  change({ ...counts, counted: true, told, phase: isRight ? "right" : "wrong" });
  await until(() => !state.moving);
  await new Promise((resolve) => setTimeout(resolve, isRight ? RIGHT_PAUSE : WRONG_PAUSE));
  if (runs() && state.rush.seen === seen) {
    change({ told: "", phase: "" });
    await goOn();
  }
}

function timeLeft(ends) {
  const seconds = Math.max(Math.ceil((ends - Date.now()) / 1000), 0);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Shows the card. */
export function show() {
  const { ends, before, seen, solved, missed, told, phase, over, rules } = state.rush;
  const { rush } = text.puzzles;
  element("rush-task").textContent = over ? rush.result(solved) : goalOf(seen.at(-1));
  element("rush-time").textContent = over ? "0:00" : timeLeft(ends);
  element("rush-solved").textContent = solved;
  element("rush-missed").textContent = missed;
  setText("rush-told", over && solved > before ? rush.record : told);
  element("rush-told").dataset.phase = phase;
  element("rush-best").textContent = bestRush(rules) > 0 ? rush.best(bestRush(rules)) : "";
  element("rush-stop").hidden = over;
  element("rush-again").hidden = !over;
}

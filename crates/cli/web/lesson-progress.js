// The progress with puzzles and lessons, which stays in this browser.

import * as storage from "./storage.js";

const KEY = "krou-study";

const { puzzles = {}, days = {}, lessons = {} } = storage.read(KEY) ?? {};
const progress = { puzzles, days, lessons };
const store = () => storage.write(KEY, progress);

const nameOf = ({ rules, start }) => `${rules} ${start}`;

/** How a puzzle was solved: "first" at the first try, "later" after a mistake or a look at
 * the solution; undefined if it was not. */
export function solved(puzzle) {
  return progress.puzzles[nameOf(puzzle)];
}

/** Notes how a puzzle was solved. The first time counts. `day` is that of a daily puzzle. */
export function noteSolved(puzzle, how, day) {
  progress.puzzles[nameOf(puzzle)] ??= how;
  if (day) progress.days[`${puzzle.rules} ${day}`] ??= how;
  store();
}

/** Whether the puzzle of a ruleset for a day was solved. */
export function solvedDay(rules, day) {
  return Object.hasOwn(progress.days, `${rules} ${day}`);
}

/** Whether a lesson of a ruleset is done. */
export function learnt(rules, lesson) {
  return Boolean(progress.lessons[`${rules} ${lesson}`]);
}

export function noteLearnt(rules, lesson) {
  progress.lessons[`${rules} ${lesson}`] = true;
  store();
}

// The progress with puzzles and lessons, and the player's rating, which stay in this browser.

import * as storage from "./storage.js";

const KEY = "krou-study";

/** The rating of a player who has tried nothing, and how much the first try and the later ones
 * change it at most. */
const FIRST_RATING = 1000;
const FIRST_STEP = 80;
const LAST_STEP = 24;
/** The tries until the steps are the last ones. */
const SETTLING = 20;
/** A puzzle that was not solved comes back after so many others. */
const COMES_BACK = 5;

const progress = {
  /** How puzzles were solved, by name: "first" at the first try, or "later". */
  puzzles: {},
  /** How the puzzles of days were solved, by ruleset and day. */
  days: {},
  /** The lessons that are done, by ruleset and name. */
  lessons: {},
  /** The puzzles that come back: each `name`, and the number of tries `at` which it does. */
  again: [],
  tries: 0,
  rating: FIRST_RATING,
  /** The most puzzles that were solved in a rush, by ruleset. */
  rush: {},
  ...storage.read(KEY),
};

const store = () => storage.write(KEY, progress);

// Puzzles

/** How a puzzle was solved; undefined if it was not. */
export const solved = ({ name }) => progress.puzzles[name];

/** Notes how a puzzle was solved. The first time counts. `day` is that of a daily puzzle. */
export function noteSolved({ name, rules }, how, day) {
  progress.puzzles[name] ??= how;
  if (day) progress.days[`${rules} ${day}`] ??= how;
  store();
}

/** Whether the puzzle of a ruleset for a day was solved. */
export function solvedDay(rules, day) {
  return Object.hasOwn(progress.days, `${rules} ${day}`);
}

/** Whether a puzzle was not solved and comes back, and whether it is its time. */
export const comesBack = ({ name }) => progress.again.some((one) => one.name === name);
export const isDue = ({ name }) => progress.again.some((one) => one.name === name && one.at <= progress.tries);

// The rating

export const rating = () => Math.round(progress.rating);

/** The rating of a puzzle: with few moves a guess is often right. */
export function ratingOf({ grade, values }) {
  return 600 + 250 * grade - (Object.keys(values).length === 2 ? 150 : 0);
}

/** What a try changes the rating by, as Elo has it. */
function gain(puzzle, isSolved) {
  const expected = 1 / (1 + 10 ** ((ratingOf(puzzle) - progress.rating) / 400));
  const settled = Math.min(progress.tries / SETTLING, 1);
  const step = FIRST_STEP + settled * (LAST_STEP - FIRST_STEP);
  return step * (Number(isSolved) - expected);
}

/** Notes how the first try of a puzzle ended. Returns what that changed the rating by: nothing
 * for a puzzle that was tried before. */
export function noteTry(puzzle, isSolved) {
  const { name } = puzzle;
  const before = rating();
  if (!solved(puzzle) && !comesBack(puzzle)) progress.rating += gain(puzzle, isSolved);
  progress.tries += 1;
  progress.again = progress.again.filter((one) => one.name !== name);
  if (!isSolved) progress.again.push({ name, at: progress.tries + COMES_BACK });
  store();
  return rating() - before;
}

// The rush

/** The most puzzles of a ruleset that were solved in a rush. */
export const bestRush = (rules) => progress.rush[rules] ?? 0;

export function noteRush(rules, number) {
  progress.rush[rules] = Math.max(bestRush(rules), number);
  store();
}

// Lessons

/** Whether a lesson of a ruleset is done. */
export function learnt(rules, lesson) {
  return Boolean(progress.lessons[`${rules} ${lesson}`]);
}

export function noteLearnt(rules, lesson) {
  progress.lessons[`${rules} ${lesson}`] = true;
  store();
}

// The sets of puzzles: one file for each ruleset, the puzzle of a day, and choices by theme
// and grade. Every puzzle was proved by tables when its file was made.

import { KrouError } from "./library/error.js";

/** The rulesets that have a set. */
export const RULES = ["abapa", "awari"];
/** The themes in the order of the files. */
export const THEMES = [
  "win-by-one", "hold-the-draw", "refuse-a-capture", "feed-or-starve", "loop-trap", "zugzwang", "capture", "quiet",
];
export const GRADES = [1, 2, 3, 4, 5];

const DAY = 24 * 60 * 60 * 1000;
/** Neighbouring puzzles of a file are alike, so days step through it by this part of its
 * length, the golden ratio. */
const STRIDE = 0.618034;

const sets = new Map();

/** A puzzle of a file. South is to move, and both stores are empty. */
function puzzle(rules, [board, theme, grade, goal, values, line]) {
  return {
    rules,
    start: [...board, 0, 0, "S"].join("-"),
    seeds: board.reduce((sum, pit) => sum + pit, 0),
    theme,
    grade,
    goal,
    /** The value of each move for South by letter, best first. */
    values,
    /** The solution, and best play by both after it. */
    line,
    solution: line[0],
  };
}

async function read(rules) {
  const response = await fetch(new URL(`puzzles/${rules}.json`, import.meta.url)).catch(() => null);
  const set = response?.ok ? await response.json().catch(() => null) : null;
  if (!set) throw new KrouError(response ? "no-puzzles" : "no-connection", { rules });
  return set.puzzles.map((one) => puzzle(rules, one));
}

/** The puzzles of a ruleset. */
export async function load(rules) {
  if (!sets.has(rules)) sets.set(rules, await read(rules));
  return sets.get(rules);
}

/** The puzzles of a theme and a grade; an empty one stands for all. */
export function choose(puzzles, { theme = "", grade = "" }) {
  return puzzles.filter((one) => (!theme || one.theme === theme) && (!grade || one.grade === Number(grade)));
}

// Days

/** Today in UTC, such as 2026-11-27. */
export function today() {
  return new Date().toISOString().slice(0, 10);
}

/** The day some days after another one. */
export function dayAfter(day, days) {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}

/** Whether a text names a day that is not in the future. */
export function isDay(text) {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && text <= today();
}

function commonDivisor(one, other) {
  return other === 0 ? one : commonDivisor(other, one % other);
}

/** The puzzle of a day: each comes once before the first one comes again. */
export function ofDay(puzzles, day) {
  const all = puzzles.length;
  let stride = Math.max(Math.round(all * STRIDE), 1);
  while (commonDivisor(stride, all) > 1) stride += 1;
  return puzzles[(Math.floor(Date.parse(day) / DAY) * stride) % all];
}

// The sets of puzzles: one file for each ruleset, the puzzle of a day, and choices by theme
// and grade. Every puzzle was proved by tables when its file was made.
//
// In the files South is to move, and the stores are empty. On the page the stores hold what is
// missing to a game, so that as often as possible the solution decides the game, and in half of
// the puzzles North is to move.

import { KrouError } from "./library/error.js";

/** The rulesets that have a set. */
export const RULES = ["abapa", "awari"];
/** The rulesets under which a repetition may be worth more to a wrong move than its value. */
const BOUNDED = ["abapa"];
/** The themes in the order of the files. */
export const THEMES = [
  "win-by-one", "hold-the-draw", "refuse-a-capture", "feed-or-starve", "loop-trap", "zugzwang", "capture", "quiet",
];
export const GRADES = [1, 2, 3, 4, 5];
const DAY = 24 * 60 * 60 * 1000;
const TOTAL = 48;
/** Neighbouring puzzles of a file are alike, so days step through it by this part of its
 * length, the golden ratio. */
const STRIDE = 0.618034;

const sets = new Map();

/** A number that looks like chance, and is always the same for a board. */
function chance(board) {
  return board.reduce((sum, pit) => (sum * 31 + pit + 7) % 99991, 1);
}

/** The most that a move other than the solution may be worth. Under rules with bounds the file
 * was proved wherever a repetition is stopped, and each seed counts for somebody. */
function mostOfOthers({ rules, seeds, theme, goal, best, others }) {
  if (!BOUNDED.includes(rules) || theme === "loop-trap") return Math.max(...others);
  const most = goal === "value" ? best - 1 : Math.min(best, 1) - 1;
  return (most - seeds) % 2 === 0 ? most : most - 1;
}

/** The leads in the stores with which the solution wins or draws, and no other move does. */
function decisiveLeads(puzzle) {
  const { best, seeds, theme } = puzzle;
  const most = mostOfOthers(puzzle);
  // So nobody has more than half of the seeds.
  const largest = theme === "loop-trap" ? 1 : seeds;
  const found = [];
  for (let lead = -largest; lead <= largest; lead++) {
    const fits = (lead - seeds) % 2 === 0;
    const wins = best + lead > 0 && most + lead <= 0 && theme !== "hold-the-draw";
    const draws = best + lead === 0 && most + lead < 0 && theme !== "win-by-one";
    if (fits && (wins || draws)) found.push(lead);
  }
  return found;
}

/** The letters of the other player. */
function otherLetters(letters) {
  return letters.replace(/./g, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase()));
}

/** A puzzle of a file, as the page shows it. */
function puzzle(rules, [board, theme, grade, goal, valued, line]) {
  const seeds = board.reduce((sum, pit) => sum + pit, 0);
  const number = chance(board);
  const north = number % 2 === 1;
  const letters = north ? otherLetters : (same) => same;
  const [best, ...others] = Object.values(valued);
  const leads = decisiveLeads({ rules, seeds, theme, goal, best, others });
  const lead = leads.length > 0 ? leads[(number >> 1) % leads.length] : seeds % 2;
  const own = (TOTAL - seeds + lead) / 2;
  const stores = [own, TOTAL - seeds - own];
  return {
    rules,
    /** What progress is kept under. */
    name: `${rules} ${[...board, 0, 0, "S"].join("-")}`,
    start: (north
      ? [...board.slice(6), ...board.slice(0, 6), ...stores.reverse(), "N"]
      : [...board, ...stores, "S"]).join("-"),
    mover: north ? "north" : "south",
    seeds,
    theme,
    grade,
    /** "result" if only the solution wins, or draws; "value" if it takes the most seeds. */
    goal: leads.length > 0 ? "result" : "value",
    /** The mover's lead in the stores. */
    lead,
    /** The value of each move for the mover by letter, best first. */
    values: Object.fromEntries(Object.entries(valued).map(([letter, value]) => [letters(letter), value])),
    /** The solution, and best play by both after it. A game may be decided before its end. */
    line: letters(line),
    solution: letters(line[0]),
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

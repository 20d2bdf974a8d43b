// Which puzzle comes next: never in the order of the file, but mixed by theme, and about as hard
// as the player's rating.

import { comesBack, isDue, rating, ratingOf, solved } from "./progress.js";

/** The next puzzle is one of so many that fit best. */
const CANDIDATES = 12;
/** How far chance moves a puzzle away from its rating. */
const SPREAD = 200;

const anyOf = (list) => list[Math.floor(Math.random() * list.length)];

/** A puzzle that is about as hard as a rating, of another theme than the last one if there is one. */
export function near(puzzles, wanted, theme) {
  const others = puzzles.filter((one) => one.theme !== theme);
  const mixed = (others.length > 0 ? others : puzzles)
    .map((one) => ({ one, distance: Math.abs(ratingOf(one) - wanted) + SPREAD * Math.random() }))
    .sort((one, other) => one.distance - other.distance);
  return anyOf(mixed.slice(0, CANDIDATES)).one;
}

/** The puzzle that comes after another one: one that was not solved and comes back, or else a new
 * one, or else any. */
export function after(last, puzzles) {
  const others = puzzles.filter((one) => one !== last);
  if (others.length === 0) return last;
  const due = others.filter(isDue);
  if (due.length > 0) return anyOf(due);
  const fresh = others.filter((one) => !solved(one) && !comesBack(one));
  if (fresh.length > 0) return near(fresh, rating(), last?.theme);
  const waiting = others.filter(comesBack);
  return anyOf(waiting.length > 0 ? waiting : others);
}

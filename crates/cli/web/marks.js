// What moves gave away: their marks, the key moments of a review, and the amount in words.

import { text } from "./texts.js";

/** The marks, and from how many seeds given away they apply. */
const MARKS = { blunder: 6, mistake: 3, inaccuracy: 1.5 };
/** Their signs. */
export const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
/** The least loss, exact or estimated, that makes a key moment. */
const LEAST_LOSS = 1;
const LEAST_ESTIMATE = 1.5;

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

// Judges the moves of a puzzle. The solution comes from its file; the moves that follow are
// judged by the tables, as far as only one of them is right.

import * as api from "./api.js";
import { OTHER } from "./opponents.js";

/** A puzzle asks for at most as many moves. */
const MOST_MOVES = 5;
/** The right moves that were looked up, by puzzle and position. */
const found = new Map();

/** The final lead of the player to move in a position with this value. */
export function leadOf({ stores, to_move: mover }, value) {
  return stores[mover] - stores[OTHER[mover]] + value;
}

/** The only right move of a later position: its letter, and the values of all moves. Null
 * unless there is a choice, its value is exact, and no other move can be worth as much. */
async function onlyMove({ rules, goal }, position) {
  const { moves } = await api.probe(rules, position.position);
  if (moves.length < 2 || moves.some(({ value }) => value === null)) return null;
  const [best, ...others] = moves;
  if (best.lower !== best.upper) return null;
  const worth = (value) => (goal === "result" ? Math.sign(leadOf(position, value)) : value);
  const most = Math.max(...others.map(({ value, upper }) => worth(upper ?? value)));
  if (worth(best.value) <= most) return null;
  return { letter: best.letter, values: Object.fromEntries(moves.map((move) => [move.letter, move.value])) };
}

/** The right move at a ply, or null if the puzzle has ended there. */
async function rightMove(puzzle, game, ply) {
  if (ply === 0) return { letter: puzzle.solution, values: puzzle.values };
  if (ply >= 2 * MOST_MOVES) return null;
  const position = game.positions[ply];
  if (position.to_move !== puzzle.mover || position.value === null) return null;
  const key = `${puzzle.rules} ${puzzle.goal} ${position.position}`;
  if (!found.has(key)) found.set(key, await onlyMove(puzzle, position));
  return found.get(key);
}

/** What the moves up to a ply have come to:
 *   ask     the mover is to find the `right` move, and `at` is the ply
 *   right   the last move was right, and the opponent is to answer
 *   wrong   the move at the ply `at` was not the `right` one
 *   solved  all moves were right */
export async function judge(puzzle, game, ply) {
  for (let at = 0; at <= ply; at += 2) {
    const right = await rightMove(puzzle, game, at);
    if (!right) return { phase: "solved", at };
    if (at === ply) return { phase: "ask", at, right };
    if (game.moves[at] !== right.letter) return { phase: "wrong", at, right };
  }
  const over = game.outcome !== null && ply === game.positions.length - 1;
  return { phase: over ? "solved" : "right", at: ply - 1 };
}

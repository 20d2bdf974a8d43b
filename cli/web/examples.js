// Positions to try: a puzzle, endgames, the start and a whole game.

import { START } from "./state.js";

/** Seeds of a random endgame when there are no tables, and at most. */
const RANDOM_SEEDS = 8;
const MAX_RANDOM_SEEDS = 14;

/** The examples by their texts' keys. The first one opens when the address names no game. */
export const EXAMPLES = {
  trap: { rules: "awari", start: "1-0-1-0-3-1-1-1-0-0-0-1-19-20-S", moves: "", ply: 0 },
  draw: { rules: "awari", start: "1-0-0-1-1-1-1-0-1-0-1-1-20-20-S", moves: "", ply: 0 },
  long: { rules: "awari", start: "1-0-0-1-1-2-0-1-0-0-2-1-19-20-S", moves: "", ply: 0 },
  start: { rules: "awari", start: START, moves: "", ply: 0 },
  game: {
    rules: "awari",
    start: START,
    moves: "FeCaBcEcBbCfAbFbEaBbAdEbDaCaEaDbAdBeAfAcEaBfDeEaCbEeDdEcFfEdFfAe",
    ply: 0,
  },
};

function below(number) {
  return Math.floor(Math.random() * number);
}

/** A few seeds in random pits, in a game that is about even. */
export function randomEndgame(rules, highest, total = 48) {
  const seeds = highest > 2 ? Math.min(highest, MAX_RANDOM_SEEDS) - below(2) : RANDOM_SEEDS;
  const pits = Array(12).fill(0);
  for (let seed = 0; seed < seeds; seed++) pits[below(12)] += 1;
  const south = Math.ceil((total - seeds) / 2);
  const start = [...pits, south, total - seeds - south, below(2) ? "S" : "N"].join("-");
  return { rules, start, moves: "", ply: 0 };
}

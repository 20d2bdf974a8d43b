// How the players end a game of Play: one resigns or has no time left, or both agree to end a game
// that goes in circles. And how it goes on after a majority. The address says so: `end` has the
// way, a player and the number of moves, such as `resigned.south.42`; `on` is 1.

import { go } from "./going.js";
import { OTHER } from "./opponents.js";
import { state } from "./state.js";

const PLAYERS = ["south", "north"];

/** What the players have agreed on or done at the end of a game, as an outcome; null if the
 * address says nothing about a game of this length. */
function ended({ moves, positions }) {
  const [reason, player, count] = (state.query.end ?? "").split(".");
  if (Number(count) !== moves.length || !PLAYERS.includes(player)) return null;
  const { stores, board } = positions.at(-1);
  if (reason !== "agreed") return { winner: OTHER[player], stores, unclaimed: 0, reason_code: reason };
  const sum = (row) => row.reduce((seeds, more) => seeds + more, 0);
  const shared = { south: stores.south + sum(board.slice(0, 6)), north: stores.north + sum(board.slice(6)) };
  const winner = PLAYERS.find((one) => shared[one] > shared[OTHER[one]]) ?? null;
  return { winner, stores: shared, unclaimed: 0, reason_code: reason };
}

/** Whether a game that is decided can be played on. */
export const canGoOn = ({ outcome, positions }) => outcome?.reason_code === "majority" && positions.at(-1).legal !== "";

/** How a game ended; null while it goes on. */
export function outcomeOf(game) {
  return ended(game) ?? (state.query.on === "1" && canGoOn(game) ? null : game.outcome);
}

/** Whether a game goes in circles: its last position was there before. */
export function goesInCircles({ positions }) {
  return positions.at(-1).seen > 1;
}

/** Ends the game in a way: "resigned" or "time" by a player, or "agreed". */
export function end(reason, player) {
  const { moves, query } = state;
  return go({ ply: moves.length, query: { ...query, end: `${reason}.${player}.${moves.length}` } }, { push: true });
}

/** Lets a decided game go on. */
export function goOn() {
  return go({ query: { ...state.query, on: "1" } }, { push: true });
}

/** The query of a game that goes on with a move. */
export function withoutEnd({ end: _, ...query }) {
  return query;
}

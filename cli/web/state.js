// The state of the page: a game and the current position. It is kept in the address, so
// that links can be shared and the browser's back button works.

/** The start position in engine notation. */
export const START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";

/** A new game. */
export function fresh(rules) {
  return { rules, start: START, moves: "", ply: 0 };
}

/** Reads the state from the address; the server validates it. Null if the address names
 * no game. */
export function read(address = location) {
  const query = new URLSearchParams(address.search);
  if (!["rules", "start", "moves"].some((name) => query.has(name))) return null;
  const moves = query.get("moves") ?? "";
  const ply = Number.parseInt(query.get("ply") ?? moves.length, 10);
  return {
    rules: query.get("rules") || "awari",
    start: query.get("start") || START,
    moves,
    ply: Number.isNaN(ply) ? moves.length : Math.min(Math.max(ply, 0), moves.length),
  };
}

/** Whether two states hold the same game. */
export function sameGame(one, other) {
  return ["rules", "start", "moves"].every((part) => one[part] === other[part]);
}

/** The game of a state up to a ply. */
export function upTo({ rules, start, moves }, ply) {
  return { rules, start, moves: moves.slice(0, ply) };
}

/** Writes the state to the address, as a new history entry or in place. */
export function write(state, { push = false } = {}) {
  const query = new URLSearchParams({ rules: state.rules });
  if (state.start !== START) query.set("start", state.start);
  if (state.moves) query.set("moves", state.moves);
  if (state.ply !== state.moves.length) query.set("ply", state.ply);
  const address = `?${query}`;
  if (address === location.search) return;
  if (push) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

// Which position of which game is shown. The address of the page says it, so that
// it can be shared and the browser's own buttons work.

/** The start of a game, in the notation of engines. */
export const START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";

/** A new game. */
export function fresh(rules) {
  return { rules, start: START, moves: "", ply: 0 };
}

/** What the address says. Whether it makes sense, the server knows. */
export function read(address = location) {
  const query = new URLSearchParams(address.search);
  const moves = query.get("moves") ?? "";
  const ply = Number.parseInt(query.get("ply") ?? moves.length, 10);
  return {
    rules: query.get("rules") || "awari",
    start: query.get("start") || START,
    moves,
    ply: Number.isNaN(ply) ? moves.length : Math.min(Math.max(ply, 0), moves.length),
  };
}

/** Puts a state into the address: as a new page of the history, or in its stead. */
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

// The part of the state that is in the address: a view, a game and one of its positions, and
// what the view adds. Links can be shared, and the browser's back button works.

import { settings } from "./storage.js";
import { DEFAULT, NAMES } from "./views.js";

/** The start position in engine notation. */
export const START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
/** The rules of a game unless others are named. */
export const RULES = "abapa";
const OWN = ["view", "rules", "start", "moves", "ply"];

/** A new game. */
export function fresh(rules) {
  return { rules, start: START, moves: "", ply: 0 };
}

/** The view of an address; one without parameters opens the view that was chosen last. */
function viewOf(query) {
  if (NAMES.includes(query.get("view"))) return query.get("view");
  return String(query) === "" ? settings.view : DEFAULT;
}

/** Reads the address; the server validates it. `start` is null if the address
 * names no game; `query` holds the parameters that belong to the view. */
export function read(address = location) {
  const query = new URLSearchParams(address.search);
  const view = viewOf(query);
  const parts = view === DEFAULT ? ["rules", "start", "moves"] : ["start", "moves"];
  const game = parts.some((name) => query.has(name));
  const moves = query.get("moves") ?? "";
  const ply = Number.parseInt(query.get("ply") ?? moves.length, 10);
  return {
    view,
    rules: query.get("rules") || RULES,
    start: game ? query.get("start") || START : null,
    moves,
    ply: Number.isNaN(ply) ? moves.length : Math.min(Math.max(ply, 0), moves.length),
    query: Object.fromEntries([...query].filter(([name]) => !OWN.includes(name))),
  };
}

/** What is in the address, of the state or of another object. */
export function addressed(state) {
  return Object.fromEntries(OWN.concat("query").map((name) => [name, state[name]]));
}

/** Whether two addresses hold the same game. */
export function sameGame(one, other) {
  return ["rules", "start", "moves"].every((part) => one[part] === other[part]);
}

/** The game of an address up to a ply, or the whole game. */
export function upTo({ rules, start, moves }, ply) {
  return { rules, start, moves: moves.slice(0, ply) };
}

/** The query of an address. */
export function written({ view, rules, start, moves, ply, query = {} }) {
  const parameters = new URLSearchParams();
  if (view !== DEFAULT) parameters.set("view", view);
  parameters.set("rules", rules);
  if (start !== START) parameters.set("start", start);
  if (moves) parameters.set("moves", moves);
  if (ply !== moves.length) parameters.set("ply", ply);
  for (const [name, value] of Object.entries(query)) parameters.set(name, value);
  return `?${parameters}`;
}

/** Writes the address, as a new history entry or in place. */
export function write(state, { push = false } = {}) {
  const next = written(state);
  if (next === location.search) return;
  if (push) history.pushState(null, "", next);
  else history.replaceState(null, "", next);
}

// The answers that the page asks for: games, values, estimates, replies and records. They
// come from the server or, on a page without one, from workers that run the library; the
// attribute `data-answers` of the page says which. Both sources answer the same requests.

import { RULES } from "./address.js";

const source = document.documentElement.dataset.answers === "worker"
  ? await import("./site/worker-answers.js")
  : await import("./http-answers.js");

const path = (rules, what) => `${encodeURIComponent(rules)}${what ? `/${what}` : ""}`;

/** The rulesets with their tables. */
export async function rulesets() {
  return (await source.request("rulesets", {})).rulesets;
}

/** A game: all positions with their legal moves, and the outcome. */
export function game({ rules, start, moves }, signal) {
  return source.request(path(rules, "game"), { start, moves }, { signal });
}

/** The last position of a game with all that is known about it: `position` and `outcome` as a game
 * has them, `probe` with the values of its moves and the best `line`, both null where they are not
 * known, and how the seeds of each move travel. */
export function position({ rules, start, moves }, plies, signal) {
  return source.request(path(rules, "position"), { start, moves, plies }, { signal });
}

/** The value of a position and of its moves from the tables, best first. */
export function probe(rules, position, signal) {
  return source.request(path(rules), { board: position }, { signal });
}

/** The best line of a position from the tables. */
export function mainline(rules, position, plies, signal) {
  return source.request(path(rules, "mainline"), { board: position, plies }, { signal });
}

/** The engine's estimate of the last position of a game. Calls `onInfo` after each depth;
 * returns the last estimate. */
export function analysis({ rules, start, moves }, { lines, movetime }, onInfo, signal) {
  return source.stream(path(rules, "analysis"), { start, moves, lines, movetime }, (_, info) => onInfo(info), signal);
}

/** A review of all positions and moves of a game, from the last to the first, with so many nodes
 * for each. Calls `onPosition` and `onMove`; returns the last event, with the figures of both
 * players. */
export function review({ rules, start, moves }, nodes, { onPosition, onMove }, signal) {
  const handlers = { position: onPosition, move: onMove };
  return source.stream(path(rules, "review"), { start, moves, nodes }, (name, data) => handlers[name]?.(data), signal);
}

/** Whether the answers come from a server, which has rooms. */
export const { hasRooms } = source;

/** Makes a room for a game of two players. */
export function makeRoom(rules, room) {
  return source.request(path(rules, "rooms"), {}, { body: JSON.stringify(room) });
}

/** Does an action in a room. */
export function actInRoom(id, action) {
  return source.request(path("rooms", id), {}, { body: JSON.stringify(action) });
}

/** Calls `onTold` with a room, at first and whenever it has changed. */
export function watchRoom(id, onTold, signal) {
  return source.stream(path("rooms", `${id}/events`), {}, (_, told) => onTold(told), signal);
}

/** The move of an opponent at the end of a game; the engine has a level. */
export function reply({ rules, start, moves }, opponent, signal) {
  return source.request(path(rules, "reply"), { start, moves, ...opponent }, { signal });
}

/** A game as text in OGN, with its names and remarks. */
export function record({ rules, start, moves, tags, remarks }, signal) {
  return source.request(path(rules, "ogn"), { start, moves }, { body: JSON.stringify({ tags, remarks }), signal, text: true });
}

/** The game of a text in OGN: its ruleset, start, moves, names and remarks. `rules` is the
 * ruleset of a text that names none. */
export function readRecord(text, rules, signal) {
  return source.request("ogn", { rules }, { body: text, signal });
}

/** A board as `krou probe --json` prints it: text or twelve numbers, and the name of a
 * ruleset, which is the page's default here. The promise rejects with an error whose message is a sentence. */
export async function probeBoard(board, rules = RULES) {
  const text = typeof board === "string" ? board : Array.from(board ?? []).join(" ");
  return source.request(path(rules, "probe"), { board: text });
}

/** Calls `onWait` with true when something needs the engine and it is still being loaded,
 * and with false once it is there. A server always has it. */
export function watchEngine(onWait) {
  source.watchEngine?.(onWait);
}

/** Calls `onTables` when there are tables for positions that were answered without them. A server
 * always has its tables. */
export function watchTables(onTables) {
  source.watchTables?.(onTables);
}

/** Calls `onHost` with what is known of a web host of tables: its name as `host`, and that it was
 * `opened`, what was `fetched` from it (requests and bytes), or the code of why it `failed`. Only a
 * page without a server reads from one. */
export function watchHost(onHost) {
  source.watchHost?.(onHost);
}

/** What solves layers in this browser, or null if the server has the tables. */
export const { solver } = source;

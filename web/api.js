// The answers that the page asks for: games, values, estimates, replies and records. This
// module is the only one that knows where they come from. Another source, such as a
// worker that runs the library, needs only the functions exported here.

import { events } from "./event-stream.js";

const BASE = "api/v1/";
/** How often a request is repeated while the server is busy. */
const RETRIES = 4;
/** The longest pause before a repeated request, in seconds. */
const MAX_PAUSE = 5;

/** An error response, or no response. `code` names the cause; `details` is the whole
 * answer; the message is the server's sentence in English, or empty. */
export class AnswerError extends Error {
  constructor(code, details = {}) {
    super(details.error ?? "");
    this.code = code;
    this.details = details;
  }
}

/** Waits for some milliseconds, or until the signal aborts. */
function pause(time, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, time);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Sends a request, again after a pause if the server is busy. */
async function send(path, parameters, options = {}) {
  const query = new URLSearchParams(parameters).toString();
  const address = `${BASE}${path}${query ? `?${query}` : ""}`;
  const { signal } = options;
  for (let attempt = 0; ; attempt++) {
    let response;
    try {
      response = await fetch(address, options);
    } catch {
      signal?.throwIfAborted();
      throw new AnswerError("no-connection");
    }
    if (response.status !== 503 || attempt === RETRIES) return response;
    const seconds = Number(response.headers.get("retry-after")) || 1;
    await pause(1000 * Math.min(seconds, MAX_PAUSE), signal);
  }
}

/** The error of a response. */
async function failure(response) {
  const body = await response.json().catch(() => ({}));
  return new AnswerError(body.code ?? "failed", { status: response.status, ...body });
}

async function json(path, parameters, options = {}) {
  const response = await send(path, parameters, options);
  let body;
  try {
    body = await response.json();
  } catch {
    options.signal?.throwIfAborted();
    throw new AnswerError("failed", { status: response.status });
  }
  options.signal?.throwIfAborted();
  // A board without a table is a valid answer: its moves are known.
  if (response.ok || body.missing !== undefined) return body;
  throw new AnswerError(body.code ?? "failed", { status: response.status, ...body });
}

/** Calls `onEvent` with the events of a stream until its last one, `done`, whose data it
 * returns. */
async function stream(path, parameters, onEvent, signal) {
  // A browser lets a request for the same address wait for the first one, unless neither is
  // stored.
  const response = await send(path, parameters, { signal, cache: "no-store", headers: { accept: "text/event-stream" } });
  if (!response.ok) throw await failure(response);
  try {
    for await (const { name, data } of events(response.body)) {
      signal?.throwIfAborted();
      if (name === "error") throw new AnswerError(data.code ?? "failed", data);
      if (name === "done") return data;
      onEvent(name, data);
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof AnswerError) throw error;
  }
  throw new AnswerError("no-connection");
}

const path = (rules, what) => `${encodeURIComponent(rules)}${what ? `/${what}` : ""}`;

/** The rulesets with their tables. */
export async function rulesets() {
  return (await json("rulesets", {})).rulesets;
}

/** A game: all positions with their legal moves, and the outcome. */
export function game({ rules, start, moves }, signal) {
  return json(path(rules, "game"), { start, moves }, { signal });
}

/** The value of a position and of its moves from the tables, best first. */
export function probe(rules, position, signal) {
  return json(path(rules), { board: position }, { signal });
}

/** The best line of a position from the tables. */
export function mainline(rules, position, plies, signal) {
  return json(path(rules, "mainline"), { board: position, plies }, { signal });
}

/** The engine's estimate of the last position of a game. Calls `onInfo` after each depth;
 * returns the last estimate. */
export function analysis({ rules, start, moves }, { lines, movetime }, onInfo, signal) {
  return stream(path(rules, "analysis"), { start, moves, lines, movetime }, (_, info) => onInfo(info), signal);
}

/** A review of all positions and moves of a game, from the last to the first. Calls
 * `onPosition` and `onMove`; returns the turning point. */
export function review({ rules, start, moves }, { movetime }, { onPosition, onMove }, signal) {
  const handlers = { position: onPosition, move: onMove };
  return stream(path(rules, "review"), { start, moves, movetime }, (name, data) => handlers[name]?.(data), signal);
}

/** The move of an opponent at the end of a game; the engine has a level. */
export function reply({ rules, start, moves }, opponent, signal) {
  return json(path(rules, "reply"), { start, moves, ...opponent }, { signal });
}

/** A game as text in OGN. */
export async function record({ rules, start, moves }, signal) {
  const response = await send(path(rules, "ogn"), { start, moves }, { signal });
  if (!response.ok) throw await failure(response);
  return response.text();
}

/** The game of a text in OGN: its ruleset, start and moves. `rules` is the ruleset of a
 * text that names none. */
export function readRecord(text, rules, signal) {
  return json("ogn", { rules }, { method: "POST", body: text, headers: { "content-type": "text/plain" }, signal });
}

// Requests to the server. Every failure becomes an error with a sentence.

import { TEXT } from "./words.js";

/** An error response, or no response. */
export class ServerError extends Error {}

async function request(path, parameters, signal) {
  const query = new URLSearchParams(parameters);
  let response;
  try {
    response = await fetch(`${path}?${query}`, { signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServerError(TEXT.noConnection);
  }
  const body = await response.json().catch(() => null);
  signal?.throwIfAborted();
  // A board without a table is a valid answer: its moves are known.
  if (body && (response.ok || body.missing !== undefined)) return body;
  throw new ServerError(body?.error ? sentence(body.error) : `The server failed (${response.status}): try again.`);
}

function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

/** The rulesets with their tables. */
export async function rulesets() {
  return (await request("rulesets", {})).rulesets;
}

/** A game: all positions and the outcome. */
export function game({ rules, start, moves }, signal) {
  return request(`${encodeURIComponent(rules)}/game`, { start, moves }, signal);
}

/** The value of a board and its moves, best first. */
export function probe(rules, board, signal) {
  return request(encodeURIComponent(rules), { board }, signal);
}

/** The best line from a board. */
export function mainline(rules, board, plies, signal) {
  return request(`${encodeURIComponent(rules)}/mainline`, { board, plies }, signal);
}

/** The move of an opponent at the end of a game. */
export function reply({ rules, start, moves }, { opponent, level }, signal) {
  return request(`${encodeURIComponent(rules)}/reply`, { start, moves, opponent, level }, signal);
}

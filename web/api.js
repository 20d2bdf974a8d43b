// What the server is asked. Every failure becomes an error with a sentence.

/** An answer that is a refusal, or none at all. */
export class ServerError extends Error {}

async function ask(path, parameters, signal) {
  const query = new URLSearchParams(parameters);
  let response;
  try {
    response = await fetch(`${path}?${query}`, { signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServerError("The server cannot be reached: look whether it is still running, then try again.");
  }
  const body = await response.json().catch(() => null);
  signal?.throwIfAborted();
  // A board without a table is an answer: its moves are known.
  if (body && (response.ok || body.missing !== undefined)) return body;
  throw new ServerError(body?.error ? sentence(body.error) : `The server failed (${response.status}): try again.`);
}

function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

/** The rulesets, and the tables there are of each. */
export async function rulesets() {
  return (await ask("rulesets", {})).rulesets;
}

/** A whole game: every position, and how it ended. */
export function game({ rules, start, moves }, signal) {
  return ask(`${encodeURIComponent(rules)}/game`, { start, moves }, signal);
}

/** What a board and its moves are worth, best first. */
export function probe(rules, board, signal) {
  return ask(encodeURIComponent(rules), { board }, signal);
}

/** What happens when both play their best. */
export function mainline(rules, board, plies, signal) {
  return ask(`${encodeURIComponent(rules)}/mainline`, { board, plies }, signal);
}

/** The move of an opponent at the end of a game. */
export function reply({ rules, start, moves }, { opponent, level }, signal) {
  return ask(`${encodeURIComponent(rules)}/reply`, { start, moves, opponent, level }, signal);
}

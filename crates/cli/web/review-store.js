// Reviews that are kept: by game in this browser, and in links as long as they fit.
//
// A review has `positions` from the start on, each with South's final lead `net`, whether it is
// `exact`, the best `line` and the `depth`; the `nodes` searched for each; `moves`, each with its `loss`, whether it is `exact`,
// and whether it is a `turning` point; and the `summary`, the last event of the review: the
// figures of both `players`, and the `key_moments` as plies after their moves.

import * as storage from "./storage.js";

const KEY = "krou-reviews";
/** The most games whose reviews are kept; the oldest is forgotten. */
const MOST_GAMES = 20;
/** The longest code of a review in a link. */
const MAX_CODE = 1500;

const nameOf = ({ rules, start, moves }) => `${rules} ${start} ${moves}`;

/** A review as short lists, with lines of at most this many moves. */
function pack({ nodes, positions, moves, summary }, plies) {
  return {
    nodes,
    positions: positions.map(({ net, exact, line, depth }) => [net, Number(exact), line.slice(0, plies), depth]),
    moves: moves.map(({ loss, exact, turning }) => [loss, Number(exact), Number(turning)]),
    summary,
  };
}

function unpack({ nodes, positions, moves, summary }) {
  return {
    nodes: Number(nodes) || 0,
    positions: positions.map(([net, exact, line, depth]) => ({ net: Number(net), exact: exact === 1, line: String(line), depth: Number(depth) })),
    moves: moves.map(([loss, exact, turning]) => ({ loss: Number(loss), exact: exact === 1, turning: turning === 1 })),
    summary,
  };
}

/** Keeps the review of a game in this browser. */
export function keep(game, review) {
  const name = nameOf(game);
  const others = storage.readList(KEY).filter((one) => one.game !== name);
  const all = [{ game: name, review: pack(review, Infinity) }, ...others].slice(0, MOST_GAMES);
  storage.write(KEY, all);
}

/** The review of a game that is kept in this browser, or null. */
export function kept(game) {
  const found = storage.readList(KEY).find((one) => one.game === nameOf(game));
  if (!found) return null;
  const review = unpack(found.review);
  return isReview(review, game.moves.length) ? review : null;
}

/** Whether a value is a summary of a game with this many moves. */
function isSummary({ players, key_moments: moments } = {}, length) {
  const numbers = ["accuracy", "average_loss", "only_moves", "only_moves_found"];
  const isNumber = (value) => value === null || typeof value === "number";
  return [players?.south, players?.north].every((player) => player && numbers.every((name) => isNumber(player[name])))
    && Array.isArray(moments) && moments.every((ply) => Number.isInteger(ply) && ply > 0 && ply <= length);
}

/** Whether a value is a review of a game with this many moves. */
export function isReview({ moves, positions, summary }, length) {
  return moves.length === length && positions.length === length + 1 && isSummary(summary, length);
}

// Links

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** A review as a word for a link, or null if it is too long for one. */
export async function toCode(review) {
  const text = JSON.stringify(pack(review, 1));
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const code = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return code.length > MAX_CODE ? null : code;
}

/** The review of a word of a link, for a game with this many moves; null if it is none. */
export async function fromCode(code, length) {
  try {
    const bytes = Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    const text = new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
    const review = unpack(JSON.parse(text));
    return isReview(review, length) ? review : null;
  } catch {
    return null;
  }
}

// The games of the page with their variations. They stay in this browser, with the names and
// comments of a text that was loaded. The state has the current one.

import { GameTree } from "./game-tree.js";
import { shownMoves, state, update } from "./state.js";
import * as storage from "./storage.js";

const KEY = "krou-games";
/** The most games that are kept, and the longest one, in characters. */
const MOST_GAMES = 10;
const MAX_LENGTH = 64_000;

function restored(game) {
  try {
    return [new GameTree(game)];
  } catch {
    // Not ours.
    return [];
  }
}

/** All trees, the current one first. */
let trees = storage.readList(KEY).flatMap(restored);

/** Begins another game, perhaps one from a text. */
export function begin(game) {
  choose(new GameTree(game));
}

function choose(tree) {
  if (tree === state.tree) return;
  trees = [tree, ...trees.filter((other) => other !== tree)].slice(0, MOST_GAMES);
  update({ tree });
  keep();
}

/** Keeps the current game, and others that are more than a line of moves. */
function keep() {
  const games = trees.filter((tree) => tree === state.tree || tree.isAnnotated()).map((tree) => tree.written());
  storage.write(KEY, games.filter((game) => JSON.stringify(game).length <= MAX_LENGTH));
}

/** A game is shown: its line belongs to a tree that has it, or else to the one of its start. */
export function arrive() {
  const { game, moves } = state;
  const known = [state.tree, ...trees].find((tree) => tree?.has(state));
  // A match is a game of its own.
  const begins = state.view === "play" && moves === "" && known?.main() !== "";
  if (begins) begin(state);
  else if (known) choose(known);
  else add();
  state.tree.path(moves).forEach((node, index) => { node.captured = game.positions[index + 1].turn.captured; });
}

/** Adds the line of the state to the tree of its start. */
function add() {
  if (!state.tree?.has({ ...state, moves: "" })) begin(state);
  state.tree.add(state.moves);
  keep();
}

/** The comments on the move that led to the position. */
export function comments() {
  return state.tree.comments(shownMoves());
}

/** Makes the line that is shown the main one. */
export function promote() {
  state.tree.promote(shownMoves());
  keep();
  update();
}

/** Removes the variation that is shown; returns the moves before it, or null. */
export function remove() {
  const before = state.tree.remove(shownMoves());
  keep();
  return before;
}

// The games of the page with their variations. They stay in this browser, with the names and
// comments of a text that was loaded.

import { GameTree } from "./game-tree.js";
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

export class Games {
  constructor() {
    /** The trees, the current one first; there is none at the very beginning. */
    this.trees = storage.readList(KEY).flatMap(restored);
    this.current = null;
  }

  /** Begins another game, perhaps one from a text. */
  begin(game) {
    this.show(new GameTree(game));
  }

  show(tree) {
    if (tree === this.current) return;
    this.trees = [tree, ...this.trees.filter((other) => other !== tree)].slice(0, MOST_GAMES);
    this.current = tree;
    this.keep();
  }

  /** Keeps the current game, and others that are more than a line of moves. */
  keep() {
    const trees = this.trees.filter((tree) => tree === this.current || tree.isAnnotated());
    const games = trees.map((tree) => tree.written());
    storage.write(KEY, games.filter((game) => JSON.stringify(game).length <= MAX_LENGTH));
  }

  /** A game is shown: its line belongs to a tree that has it, or else to the one of its start. */
  arrive(state, { positions }) {
    const known = [this.current, ...this.trees].find((tree) => tree?.has(state));
    // A match is a game of its own.
    const begins = state.view === "play" && state.moves === "" && known?.main() !== "";
    if (begins) this.begin(state);
    else if (known) this.show(known);
    else this.add(state);
    this.current.path(state.moves).forEach((node, index) => { node.captured = positions[index + 1].turn.captured; });
  }

  /** Adds a line to the tree of its start. */
  add(state) {
    if (!this.current?.has({ ...state, moves: "" })) this.begin(state);
    this.current.add(state.moves);
    this.keep();
  }

  /** The comments on the move that a state shows. */
  comments({ moves, ply }) {
    return this.current.comments(moves.slice(0, ply));
  }

  /** A change that the user asks for. */
  change(action) {
    const result = action(this.current);
    this.keep();
    return result;
  }
}

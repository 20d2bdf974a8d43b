// The games of the page with their variations. They stay in this browser, with the names and
// comments of a text that was loaded. The state has the current one.

import { shownMoves, state, update } from "./state.js";
import * as storage from "./storage.js";

// A game with its variations as a tree, and with what a text says about it: names, and remarks
// about moves. The remarks are those of the answers of `ogn`, but a variation is a node.

/** A move: its `letter`, the `remarks` about it in their order, those that stand `before` it
 * where it begins a variation, and the moves after it. The first of these goes on with the
 * line; the others are its variations, which its remarks have in their places. */
function makeNode(letter) {
  return { letter, before: [], remarks: [], children: [] };
}

/** The nodes of a line from a node on, which is the first of them. */
function lineFrom(node) {
  const nodes = [];
  for (let next = node; next; next = next.children[0]) nodes.push(next);
  return nodes;
}

/** The letters of nodes. */
const lettersOf = (nodes) => nodes.map(({ letter }) => letter).join("");

const isVariation = (remark) => remark.variation !== undefined;

export class GameTree {
  /** The tree of a game from its text, or of one without moves. */
  constructor({ rules, start, moves = "", tags = {}, remarks = [] }) {
    Object.assign(this, { rules, start, tags });
    /** The position before the first move. */
    this.root = makeNode("");
    this.graft(this.root, moves, remarks, this.root.remarks);
  }

  /** Adds a line after a node, and returns its first move. Remarks before that move go to the
   * `opening`, or to the move. */
  graft(parent, moves, remarks, opening) {
    const nodes = [...moves].map(makeNode);
    const before = [parent, ...nodes];
    nodes.forEach((node, index) => before[index].children.push(node));
    const [first] = nodes;
    for (const remark of this.treesOf(remarks[0], parent)) {
      const list = isVariation(remark) ? first?.remarks : opening ?? first.before;
      list?.push(remark);
    }
    nodes.forEach((node, index) => node.remarks.push(...this.treesOf(remarks[index + 1], before[index])));
    return first;
  }

  /** Remarks with their variations as nodes, which are added after a node. */
  treesOf(remarks = [], parent) {
    return remarks.map((remark) => {
      const { variation } = remark;
      return variation ? { variation: this.graft(parent, variation.moves, variation.remarks) } : remark;
    });
  }

  /** The nodes of as many of these moves as the tree has. */
  path(moves, node = this.root) {
    const paths = node.children
      .filter(({ letter }) => letter === moves[0])
      .map((child) => [child, ...this.path(moves.slice(1), child)]);
    return paths.sort((one, other) => other.length - one.length)[0] ?? [];
  }

  has({ rules, start, moves }) {
    return rules === this.rules && start === this.start && this.path(moves).length === moves.length;
  }

  /** The letters of the main line. */
  main() {
    return lettersOf(lineFrom(this.root));
  }

  /** These moves and those that go on after them. */
  lineThrough(moves) {
    const last = this.path(moves).at(-1) ?? this.root;
    return moves + lettersOf(lineFrom(last).slice(1));
  }

  /** The lines at the last of these moves: the moves with each of the letters played there. */
  choices(moves) {
    const parent = this.path(moves.slice(0, -1)).at(-1) ?? this.root;
    return moves === "" ? [] : parent.children.map(({ letter }) => moves.slice(0, -1) + letter);
  }

  /** Adds the moves of a line that the tree does not have. */
  add(moves) {
    const known = this.path(moves);
    if (known.length === moves.length) return;
    const parent = known.at(-1) ?? this.root;
    const [main] = parent.children;
    const added = this.graft(parent, moves.slice(known.length), []);
    if (main) main.remarks.push({ variation: added });
    // The main line does not end where the text says.
    else if (this.main() === moves) delete this.tags.Result;
  }

  /** The indices of the moves at which a line leaves a better one. */
  branches(moves) {
    const nodes = this.path(moves);
    return [...nodes.keys()].filter((index) => (nodes[index - 1] ?? this.root).children[0] !== nodes[index]);
  }

  /** Removes the variation that these moves end in. Returns the moves before it, or null if
   * they are in none. */
  remove(moves) {
    const nodes = this.path(moves);
    const at = this.branches(moves).at(-1);
    if (at === undefined) return null;
    const parent = nodes[at - 1] ?? this.root;
    const [main] = parent.children;
    parent.children = parent.children.filter((node) => node !== nodes[at]);
    main.remarks = main.remarks.filter((remark) => remark.variation !== nodes[at]);
    return moves.slice(0, at);
  }

  /** Makes these moves the main line. */
  promote(moves) {
    const nodes = this.path(moves);
    if (this.branches(moves).length === 0) return;
    for (const index of this.branches(moves)) {
      const parent = nodes[index - 1] ?? this.root;
      const node = nodes[index];
      const [main, ...others] = parent.children;
      parent.children = [node, main, ...others.filter((other) => other !== node)];
      const variations = main.remarks.filter((remark) => isVariation(remark) && remark.variation !== node);
      main.remarks = main.remarks.filter((remark) => !isVariation(remark));
      node.remarks = [...node.before.splice(0), ...node.remarks, { variation: main }, ...variations];
    }
    delete this.tags.Result;
  }

  /** The comments on the last of these moves. */
  comments(moves) {
    const node = moves === "" ? this.root : this.path(moves).at(-1);
    return [...node?.before ?? [], ...node?.remarks ?? []].flatMap(({ comment }) => comment?.trim() || []);
  }

  hasVariations() {
    return lineFrom(this.root).some(({ children }) => children.length > 1);
  }

  /** Whether there is more than moves in one line. */
  isAnnotated() {
    return Object.keys(this.tags).length > 0 || lineFrom(this.root).some(({ remarks }) => remarks.length > 0);
  }

  /** The game as its text has it. `extra` returns more remarks about a node, a list, which
   * follow the signs of the text. */
  written(extra = () => []) {
    const { rules, start, tags } = this;
    const isSign = ({ sign }) => sign !== undefined;
    const all = (node) => {
      const place = node.remarks.findLastIndex(isSign) + 1;
      return [...node.remarks.slice(0, place), ...extra(node), ...node.remarks.slice(place)];
    };
    const remarks = (node) => all(node).map((remark) => {
      if (!isVariation(remark)) return remark;
      const nodes = lineFrom(remark.variation);
      return { variation: { moves: lettersOf(nodes), remarks: [nodes[0].before, ...nodes.map(remarks)] } };
    });
    return { rules, start, tags, moves: this.main(), remarks: lineFrom(this.root).map(remarks) };
  }
}

// The games that are kept

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

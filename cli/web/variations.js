// The variations of a game: all lines that were shown from its start, as a tree. They last
// as long as the browser keeps the page open.

const KEY = "krou-lines";
const MAX_LINES = 200;

/** A node: the moves after it by their letters, the latest one last. */
const makeNode = () => new Map();

export class Variations {
  constructor() {
    /** The game that the lines belong to: its rules and start. */
    this.game = "";
    this.lines = [];
    this.root = makeNode();
    try {
      const { game, lines } = JSON.parse(sessionStorage.getItem(KEY));
      if (Array.isArray(lines)) this.begin(game, lines);
    } catch {
      // Nothing is stored.
    }
  }

  begin(game, lines = []) {
    this.game = game;
    this.lines = [];
    this.root = makeNode();
    for (const line of lines) this.insert(line);
  }

  insert(moves) {
    let node = this.root;
    for (const letter of moves) {
      const next = node.get(letter) ?? makeNode();
      node.delete(letter);
      node.set(letter, next);
      node = next;
    }
    // A line that begins this one, or that this one begins, is the same line.
    if (this.lines.some((line) => line.startsWith(moves))) return;
    this.lines = [...this.lines.filter((line) => !moves.startsWith(line)), moves].slice(-MAX_LINES);
  }

  /** Adds the moves of a game. The lines of another game are forgotten. */
  add({ rules, start, moves }) {
    const game = `${rules} ${start}`;
    if (game !== this.game) this.begin(game);
    this.insert(moves);
    try {
      sessionStorage.setItem(KEY, JSON.stringify({ game, lines: this.lines }));
    } catch {
      // Without storage they last until the page is closed.
    }
  }

  /** The lines that leave these moves, in the order of the plies at which they do: the ply,
   * and all moves of the line. */
  besides(moves) {
    const found = [];
    let node = this.root;
    for (let ply = 0; node; ply++) {
      for (const [letter, next] of node) {
        if (letter !== moves[ply]) found.push({ ply, moves: moves.slice(0, ply) + letter + latest(next) });
      }
      node = ply < moves.length ? node.get(moves[ply]) : null;
    }
    return found;
  }

  /** The moves that were played after these ones the last time. */
  after(moves) {
    let node = this.root;
    for (const letter of moves) node = node?.get(letter);
    return node ? latest(node) : "";
  }
}

/** The latest line from a node. */
function latest(node) {
  const [letter, next] = [...node].at(-1) ?? [];
  return letter ? letter + latest(next) : "";
}

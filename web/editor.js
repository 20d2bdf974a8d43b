// Editing: seeds are added and taken away by clicks, in pits and stores.

import { count } from "./words.js";

const element = (id) => document.getElementById(id);
/** All seeds of a game. */
const MOST = 48;

/** The notation of engines for a position as the server tells it. */
export function notation({ board, stores, to_move: toMove }) {
  return [...board, stores.south, stores.north, toMove === "south" ? "S" : "N"].join("-");
}

export class Editor {
  /** `onChange` hears the notation of each new position. */
  constructor(onChange) {
    this.active = false;
    this.position = null;
    this.onChange = onChange;
    element("turn").addEventListener("click", () => {
      const toMove = this.position.to_move === "south" ? "north" : "south";
      this.change({ ...this.position, to_move: toMove });
    });
    element("empty").addEventListener("click", () => {
      this.change({ ...this.position, board: Array(12).fill(0), stores: { south: 0, north: 0 } });
    });
    element("editor").addEventListener("submit", (event) => {
      event.preventDefault();
      this.onChange(element("notation").value);
    });
  }

  /** Begins or ends editing. */
  toggle(active) {
    this.active = active;
    element("editor").hidden = !active;
    element("edit").setAttribute("aria-pressed", String(active));
    element("edit").textContent = active ? "Done" : "Edit board";
    document.body.classList.toggle("editing", active);
  }

  /** The position that clicks change. */
  show(position) {
    this.position = position;
    element("seeds").textContent = `${count(this.total(), "seed")} of ${MOST}`;
    element("notation").value = notation(position);
  }

  total() {
    const { board, stores } = this.position;
    return board.reduce((sum, seeds) => sum + seeds, stores.south + stores.north);
  }

  /** What a click does: adds a seed or takes one away. */
  step(forced) {
    return forced || Number(document.querySelector("input[name=tool]:checked").value);
  }

  /** Changes a pit, 0 to 11; `forced` is 0 for what the tool says. */
  pit(pit, forced) {
    const step = this.step(forced);
    const board = [...this.position.board];
    board[pit] += step;
    return this.changeIf(board[pit], step, { ...this.position, board });
  }

  /** Changes a store. */
  store(player, forced) {
    const step = this.step(forced);
    const stores = { ...this.position.stores };
    stores[player] += step;
    return this.changeIf(stores[player], step, { ...this.position, stores });
  }

  /** Changes the position if there are such positions, and says whether. */
  changeIf(seeds, step, position) {
    const fits = seeds >= 0 && this.total() + step <= MOST;
    if (fits) this.change(position);
    return fits;
  }

  change(position) {
    this.position = position;
    this.onChange(notation(position));
  }
}

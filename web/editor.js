// The board editor: clicks add and remove seeds in pits and stores.

import { TEXT, count } from "./words.js";

const element = (id) => document.getElementById(id);
/** Number of seeds in a game. */
const MAX_SEEDS = 48;

/** A position of the server in engine notation. */
export function notation({ board, stores, to_move: toMove }) {
  return [...board, stores.south, stores.north, toMove === "south" ? "S" : "N"].join("-");
}

export class Editor {
  /** Calls `onChange` with the notation of each new position. */
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

  /** Starts or ends editing. */
  toggle(active) {
    this.active = active;
    element("editor").hidden = !active;
    element("edit").setAttribute("aria-pressed", String(active));
    element("edit").textContent = active ? TEXT.editDone : TEXT.editBoard;
    document.body.classList.toggle("editing", active);
  }

  /** Shows the position to edit. */
  show(position) {
    this.position = position;
    element("seeds").textContent = `${count(this.total(), "seed")} of ${MAX_SEEDS}`;
    element("notation").value = notation(position);
  }

  total() {
    const { board, stores } = this.position;
    return board.reduce((sum, seeds) => sum + seeds, stores.south + stores.north);
  }

  /** The change that a click makes: 1 or −1. */
  step(forced) {
    return forced || Number(document.querySelector("input[name=tool]:checked").value);
  }

  /** Changes a pit, 0 to 11, by `forced` or, if that is 0, by the selected tool. */
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

  /** Changes the position if it stays valid; returns whether it did. */
  changeIf(seeds, step, position) {
    const fits = seeds >= 0 && this.total() + step <= MAX_SEEDS;
    if (fits) this.change(position);
    return fits;
  }

  change(position) {
    this.position = position;
    this.onChange(notation(position));
  }
}

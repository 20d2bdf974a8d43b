// The board editor: clicks move, add and remove seeds. Edits are a draft with an undo of
// its own; the game changes when editing is done.

import { letter } from "./board.js";
import { text } from "./texts.js";

const element = (id) => document.getElementById(id);
/** Number of seeds in a game. */
const MAX_SEEDS = 48;

/** A position in engine notation. */
export function notation({ board, stores, to_move: toMove }) {
  return [...board, stores.south, stores.north, toMove === "south" ? "S" : "N"].join("-");
}

/** The seeds of a place: a pit from 0 to 11, or the store of a player. */
function seedsOf(position, place) {
  return place in position.stores ? position.stores[place] : position.board[place];
}

/** A position with other seeds in a place. */
function withSeeds(position, place, seeds) {
  if (place in position.stores) return { ...position, stores: { ...position.stores, [place]: seeds } };
  const board = [...position.board];
  board[place] = seeds;
  return { ...position, board };
}

function total({ board, stores }) {
  return board.reduce((sum, seeds) => sum + seeds, stores.south + stores.north);
}

function name(place) {
  return place in { south: 1, north: 1 } ? text.editor.store(place) : text.editor.pit(letter(place));
}

export class Editor {
  /** Calls `onShow` when the draft or the tool changes, and `onError` with a sentence and
   * the place if an edit is not possible. */
  constructor(onShow, onError) {
    this.onShow = onShow;
    this.onError = onError;
    this.active = false;
    this.reset(null);
    element("turn").addEventListener("click", () => {
      if (this.active) this.edit({ ...this.draft, to_move: this.draft.to_move === "south" ? "north" : "south" });
    });
    element("empty").addEventListener("click", () => {
      if (!this.active) return;
      this.edit({ ...this.draft, board: Array(12).fill(0), stores: { south: 0, north: 0 } });
      this.choose("add");
    });
    element("rest").addEventListener("click", () => this.active && this.fillStores());
    element("edit-undo").addEventListener("click", () => this.undo());
    for (const radio of document.querySelectorAll("input[name=tool]")) {
      radio.addEventListener("change", () => {
        this.source = null;
        this.onShow();
      });
    }
  }

  reset(position) {
    this.draft = position;
    this.origin = position && notation(position);
    this.before = [];
    /** The place that the tool `move` takes seeds from. */
    this.source = null;
  }

  /** Starts editing a position. */
  begin({ board, stores, to_move: toMove }) {
    this.reset({ board: [...board], stores: { ...stores }, to_move: toMove });
    this.active = true;
    this.choose("move");
  }

  /** Ends editing. */
  end() {
    this.active = false;
    this.source = null;
  }

  /** The notation of the draft, or null if it is what editing began with. */
  changed() {
    const now = notation(this.draft);
    return now === this.origin ? null : now;
  }

  choose(tool) {
    document.querySelector(`input[name=tool][value=${tool}]`).checked = true;
    this.source = null;
    this.onShow();
  }

  tool() {
    return document.querySelector("input[name=tool]:checked").value;
  }

  /** Shows the state of the editor. */
  show() {
    element("editor").hidden = !this.active;
    element("edit").setAttribute("aria-pressed", String(this.active));
    document.body.classList.toggle("editing", this.active);
    if (!this.active) return;
    element("seeds").textContent = text.editor.seeds(total(this.draft), MAX_SEEDS);
    element("notation").value = notation(this.draft);
    element("edit-undo").setAttribute("aria-disabled", String(this.before.length === 0));
    element("rest").setAttribute("aria-disabled", String(total(this.draft) >= MAX_SEEDS));
    element("edit-cancel").setAttribute("aria-disabled", String(this.changed() === null));
    const hints = { move: text.editor.hintMove, add: text.editor.hintAdd, remove: text.editor.hintRemove };
    element("edit-hint").textContent = this.source === null ? hints[this.tool()] : text.editor.hintSource(name(this.source));
  }

  /** Makes an edit, which can be undone. */
  edit(draft) {
    this.before.push(this.draft);
    this.draft = draft;
    this.onShow();
  }

  /** Takes back the last edit; returns whether there was one. */
  undo() {
    if (!this.active || this.before.length === 0) return false;
    this.draft = this.before.pop();
    this.source = null;
    this.onShow();
    return true;
  }

  /** A click on a place; `step` is −1 for the secondary button, else 0. */
  click(place, step) {
    const steps = { add: 1, remove: -1 };
    if (step !== 0) this.change(place, step);
    else if (this.tool() in steps) this.change(place, steps[this.tool()]);
    else this.move(place);
  }

  /** Gives the seeds that the game lacks to the stores, first to the smaller one. */
  fillStores() {
    const rest = MAX_SEEDS - total(this.draft);
    if (rest <= 0) return;
    const { south, north } = this.draft.stores;
    const even = Math.ceil((south + north + rest) / 2);
    const more = Math.min(Math.max(even - south, 0), rest);
    this.edit({ ...this.draft, stores: { south: south + more, north: north + rest - more } });
  }

  /** Seeds were dragged from one place to another: one of them moves. */
  drag(from, to) {
    if (seedsOf(this.draft, from) === 0) return;
    this.source = null;
    const taken = withSeeds(this.draft, from, seedsOf(this.draft, from) - 1);
    this.edit(withSeeds(taken, to, seedsOf(taken, to) + 1));
  }

  /** Adds or removes a seed. */
  change(place, step) {
    const seeds = seedsOf(this.draft, place) + step;
    if (seeds < 0) this.onError(text.editor.nothing(name(place)), place);
    else if (total(this.draft) + step > MAX_SEEDS) this.onError(text.editor.full(MAX_SEEDS), place);
    else this.edit(withSeeds(this.draft, place, seeds));
  }

  /** Chooses a place to take seeds from, or moves a seed from there. */
  move(place) {
    const { source } = this;
    if (source === place) this.source = null;
    else if (source === null && seedsOf(this.draft, place) > 0) this.source = place;
    else if (source === null) return this.onError(text.editor.nothing(name(place)), place);
    else {
      const taken = withSeeds(this.draft, source, seedsOf(this.draft, source) - 1);
      if (seedsOf(taken, source) === 0) this.source = null;
      return this.edit(withSeeds(taken, place, seedsOf(taken, place) + 1));
    }
    return this.onShow();
  }
}

// The board editor of Analyse: clicks and drags move, add and remove seeds. Edits are a draft with
// an undo of its own; when editing is done, the edited board begins a new game.
//
// What the state has of it, as `editing`: the `draft`, the notation of its `origin`, the drafts
// `before` it, the `tool`, and the `source`, the place that the tool `move` takes seeds from.

import * as api from "./api.js";
import { drawPile, letter, makePile, placeOf } from "./board.js";
import { element } from "./dom.js";
import { arrived, ask, go } from "./going.js";
import * as notice from "./notice.js";
import { dropQuestions } from "./questions.js";
import { position, state, update } from "./state.js";
import { text } from "./texts.js";
import { board } from "./view.js";

/** Number of seeds in a game. */
const MAX_SEEDS = 48;
/** How far the pointer moves before it drags, in pixels. */
const LEAST = 8;

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

/** What is edited of a position. */
function begin({ board, stores, to_move: toMove }) {
  const draft = { board: [...board], stores: { ...stores }, to_move: toMove };
  return { draft, origin: notation(draft), before: [], tool: "move", source: null };
}

/** The notation of the draft, or null if it is what editing began with. */
function changed({ draft, origin } = state.editing) {
  const now = notation(draft);
  return now === origin ? null : now;
}

// From the game to a draft, and back

/** Starts editing, or ends it: the draft becomes the start of a new game, unless nothing
 * was changed. */
export async function toggle() {
  if (!state.game) return;
  if (!state.editing) {
    if (state.arriving) await arrived();
    dropQuestions();
    update({ editing: begin(position()), step: null, notice: null });
    return;
  }
  const start = changed();
  if (start === null) discard();
  else await go({ start, moves: "", ply: 0 }, { push: true });
}

export function discard() {
  update({ editing: null, notice: null });
  ask();
}

/** Takes over the notation of the field, once the answers have read it. */
export async function setNotation() {
  const start = element("notation").value.trim();
  const read = await api.game({ rules: state.rules, start, moves: "" });
  notice.hide();
  if (state.editing) edit(begin(read.positions[0]).draft);
}

// Edits

function change(changes) {
  update({ editing: { ...state.editing, ...changes } });
}

/** Makes an edit, which can be undone. */
function edit(draft, changes = {}) {
  const { before, draft: former } = state.editing;
  change({ draft, before: [...before, former], ...changes });
}

/** Takes back the last edit; returns whether there was one. */
export function undo() {
  const before = [...state.editing?.before ?? []];
  if (before.length === 0) return false;
  change({ draft: before.pop(), before, source: null });
  return true;
}

export const chooseTool = (tool) => change({ tool, source: null });

/** Says why an edit is not possible. */
function refuse(sentence, place) {
  notice.tell(sentence, { slip: true, place });
}

/** A click on a place: what the tool does, or one seed less for a `step` of −1. */
export function click(place, step) {
  const { tool } = state.editing;
  if (step !== 0) addTo(place, step);
  else if (tool === "move") move(place);
  else addTo(place, tool === "add" ? 1 : -1);
}

/** Adds or removes a seed. */
export function addTo(place, step) {
  const { draft } = state.editing;
  const seeds = seedsOf(draft, place) + step;
  if (seeds < 0) refuse(text.editor.nothing(name(place)), place);
  else if (total(draft) + step > MAX_SEEDS) refuse(text.editor.full(MAX_SEEDS), place);
  else edit(withSeeds(draft, place, seeds));
}

/** A draft with one seed moved from a place to another. */
function moved(draft, from, to) {
  const taken = withSeeds(draft, from, seedsOf(draft, from) - 1);
  return withSeeds(taken, to, seedsOf(taken, to) + 1);
}

/** Chooses a place to take seeds from, or moves a seed from there. */
function move(place) {
  const { draft, source } = state.editing;
  if (source === place) change({ source: null });
  else if (source !== null) edit(moved(draft, source, place), seedsOf(draft, source) === 1 ? { source: null } : {});
  else if (seedsOf(draft, place) > 0) change({ source: place });
  else refuse(text.editor.nothing(name(place)), place);
}

/** Whether a seed can be dragged from a place. */
const canDrag = (place) => state.editing !== null && seedsOf(state.editing.draft, place) > 0;

/** A seed was dragged from one place to another. */
function drag(from, to) {
  if (canDrag(from)) edit(moved(state.editing.draft, from, to), { source: null });
}

export function listen() {
  listenToDrags((place) => canDrag(placeOf(place)), (from, to) => drag(placeOf(from), placeOf(to)));
}

export function changeTurn() {
  const { draft } = state.editing;
  edit({ ...draft, to_move: draft.to_move === "south" ? "north" : "south" });
}

export function empty() {
  edit({ ...state.editing.draft, board: Array(12).fill(0), stores: { south: 0, north: 0 } }, { tool: "add", source: null });
}

/** Adds the seeds that the game lacks to the stores, first to the smaller one. */
export function fillStores() {
  const { draft } = state.editing;
  const rest = MAX_SEEDS - total(draft);
  if (rest <= 0) return;
  const { south, north } = draft.stores;
  const even = Math.ceil((south + north + rest) / 2);
  const more = Math.min(Math.max(even - south, 0), rest);
  edit({ ...draft, stores: { south: south + more, north: north + rest - more } });
}

// Showing

/** What is shown: a field in which the user writes stays as it is until there is another edit. */
let shown = { editing: null, code: "" };

export function show() {
  const { editing } = state;
  element("edit").setAttribute("aria-pressed", String(editing !== null));
  if (editing === shown.editing && text.code === shown.code) return;
  shown = { editing, code: text.code };
  if (!editing) return;
  const { draft, before, source, tool } = editing;
  document.querySelector(`input[name=tool][value=${tool}]`).checked = true;
  element("seeds").textContent = text.editor.seeds(total(draft), MAX_SEEDS);
  element("notation").value = notation(draft);
  element("edit-undo").setAttribute("aria-disabled", String(before.length === 0));
  element("rest").setAttribute("aria-disabled", String(total(draft) >= MAX_SEEDS));
  element("edit-cancel").setAttribute("aria-disabled", String(changed() === null));
  const hints = { move: text.editor.hintMove, add: text.editor.hintAdd, remove: text.editor.hintRemove };
  element("edit-hint").textContent = source === null ? hints[tool] : text.editor.hintSource(name(source));
}

// Dragging a seed from one place of the board to another

/** Listens to the board: `mayDrag(place)` says whether a seed can be dragged from a place, and
 * `onDrag` is called with the two places. */
function listenToDrags(mayDrag, onDrag) {
  let drag = null;
  const placeAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-place]")?.dataset.place;

  const end = () => {
    drag?.seed?.remove();
    drag = null;
  };

  board.parent.addEventListener("pointerdown", (event) => {
    const place = placeAt(event);
    if (event.button === 0 && place !== undefined && mayDrag(place)) drag = { from: place, x: event.clientX, y: event.clientY, seed: null };
  });
  addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (!drag.seed && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < LEAST) return;
    drag.seed ??= makeSeed();
    const { left, top } = board.parent.getBoundingClientRect();
    const size = board.size();
    drag.seed.style.transform = `translate(${event.clientX - left - size / 2}px, ${event.clientY - top - size / 2}px)`;
  });
  addEventListener("pointerup", (event) => {
    const to = placeAt(event);
    if (drag?.seed && to !== undefined && to !== drag.from) onDrag(drag.from, to);
    end();
  });
  addEventListener("pointercancel", end);
}

/** A seed that follows the pointer. */
function makeSeed() {
  const seed = document.createElement("div");
  const pile = makePile();
  seed.className = "flight";
  seed.style.width = `${board.size()}px`;
  drawPile(pile, 1, 0);
  seed.append(pile);
  board.flights.append(seed);
  return seed;
}

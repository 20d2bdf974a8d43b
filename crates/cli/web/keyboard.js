// The keyboard: its shortcuts, and its place.

import { state } from "./state.js";
import { settings } from "./storage.js";

// Shortcuts, as listed in Help. Those with letters, digits and ? can be switched off.

/** Whether the key belongs to the form field or dialog that has the focus. */
function isTaken(event) {
  if (event.target.closest?.("dialog")) return true;
  return event.key !== "Escape" && Boolean(event.target.closest?.("input, select, textarea"));
}

/** The name of a key. On a layout with other letters, the place of the key counts; on one
 * whose digits need Shift, the digit. */
function nameOf(event) {
  const { key, code } = event;
  if (key.length > 1) return key;
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  const [, digit] = /^(?:Digit|Numpad)([1-6])$/.exec(code) ?? [];
  if (letter && key.codePointAt(0) > 127) return letter.toLowerCase();
  if (digit && !event.shiftKey && !"+-?".includes(key)) return digit;
  return key.toLowerCase();
}

const ALWAYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", Escape: "escape" };
const LETTERS = {
  m: "best",
  u: "undo",
  y: "redo",
  v: "variation",
  h: "hints",
  r: "flip",
  n: "new",
  x: "edit",
  "?": "help",
};
const STEPS = { "+": 1, "-": -1 };

/** The call of an action for a key: its name and what it is given. Null if there is none. */
export function callFor(event) {
  if (event.altKey || event.metaKey || isTaken(event)) return null;
  const name = nameOf(event);
  if (event.ctrlKey) return name === "z" && state.editing?.before.length > 0 ? ["edit-undo"] : null;
  const place = event.target.closest?.("[data-place]")?.dataset.place;
  const step = STEPS[event.key];
  if (place !== undefined && step && state.editing) return ["add", { place, step }];
  if (Object.hasOwn(ALWAYS, name)) return [ALWAYS[name]];
  if (!settings.letterKeys || name.length !== 1) return null;
  const pit = Math.max("abcdef".indexOf(name), "123456".indexOf(name));
  if (pit >= 0) return ["own-pit", { pit }];
  return Object.hasOwn(LETTERS, name) ? [LETTERS[name]] : null;
}

// Its place
//
// One pit of each row of the board is reached with Tab, and arrows lead from there to the others;
// after a click arrows go through the moves instead. A button that hides itself, or goes with its
// card, would leave the focus nowhere: it moves to what stands beside it, or to the board.

// In the rows of the board

/** Whether the focus moves by the keyboard. */
let byKeyboard = false;

const rowOf = (pit) => [...pit.closest(".row").querySelectorAll(".pit")];

/** Makes a pit the one of its row that Tab reaches. */
function reach(pit) {
  for (const one of rowOf(pit)) one.tabIndex = one === pit ? 0 : -1;
}

/** The pit that an arrow leads to, or undefined. */
function neighbour(pit, key) {
  const row = rowOf(pit);
  const at = row.indexOf(pit);
  if (key === "ArrowLeft") return row[at - 1];
  if (key === "ArrowRight") return row[at + 1];
  const other = document.querySelector(`.row.${key === "ArrowUp" ? "top" : "bottom"}`);
  return other.contains(pit) ? undefined : other.querySelectorAll(".pit")[at];
}

function moveInRow(event) {
  if (event.key === "Tab") byKeyboard = true;
  const pit = event.target.closest?.(".pit");
  if (!byKeyboard || !pit || !event.key.startsWith("Arrow") || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  neighbour(pit, event.key)?.focus();
}

/** Leads the keyboard to the board, past what stands before it. */
export function enter() {
  byKeyboard = true;
  document.querySelector(".row.bottom .pit[tabindex='0']").focus();
}

// Where the focus would be lost

const FOCUSABLE = "button, a[href], input, select, textarea";
/** What takes the focus itself where nothing in it can. */
const CARD = ".card, .try";

/** The element that has the focus or had it last, with those around it, and the one before. */
let last = null;
let before = null;
let frame = null;

const isShown = (element) => element.isConnected && element.checkVisibility();

function around(element) {
  const found = [];
  for (let outer = element.parentElement; outer; outer = outer.parentElement) found.push(outer);
  return found;
}

/** Where the focus goes from an element that is gone. */
function placeFor({ element, outer }) {
  const group = outer.find((one) => one.matches(".tools"));
  const beside = group && [...group.querySelectorAll(FOCUSABLE)].find(isShown);
  if (beside) return beside;
  // A new game, a new position: the board is next. A message had come between.
  const leavesCard = outer.some((one) => one.matches("#setup, #result, .notice"));
  const card = leavesCard ? null : outer.find((one) => one.matches(CARD) && isShown(one));
  if (card) {
    card.tabIndex = -1;
    return card;
  }
  if (before && before !== element && isShown(before)) return before;
  return [...document.querySelectorAll(".pit.legal, .row.bottom .pit")].find(isShown);
}

/** Once all is shown, the focus is not lost. */
function repairLater() {
  frame ??= requestAnimationFrame(() => {
    frame = null;
    repair();
  });
}

function repair() {
  const { activeElement } = document;
  const lost = !activeElement || activeElement === document.body || !isShown(activeElement);
  if (!last || !lost || isShown(last.element)) return;
  const place = placeFor(last);
  last = null;
  place?.focus({ preventScroll: true });
}

export function listen() {
  for (const row of document.querySelectorAll(".row")) reach(row.querySelector(".pit"));
  document.addEventListener("keydown", moveInRow, { capture: true });
  document.addEventListener("pointerdown", () => { byKeyboard = false; }, { capture: true });
  document.addEventListener("focusin", ({ target }) => {
    if (target.matches(".pit")) reach(target);
    if (last && !last.outer.some((one) => one.matches(".notice"))) before = last.element;
    last = { element: target, outer: around(target) };
  });
  document.addEventListener("focusout", ({ target }) => {
    // The user has left it for the page as a whole.
    if (isShown(target) && document.hasFocus()) queueMicrotask(() => {
      if (document.activeElement === document.body && isShown(target)) last = null;
    });
  });
  const options = { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "class", "data-view"] };
  new MutationObserver(repairLater).observe(document.documentElement, options);
}

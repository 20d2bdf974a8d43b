// Keyboard shortcuts, as listed in Help. Those with letters, digits and ? can be switched
// off.

import { settings } from "./settings.js";
import { state } from "./state.js";

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

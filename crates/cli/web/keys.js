// Keyboard shortcuts, as listed in Help. Those with letters, digits and ? can be switched
// off.

import { settings } from "./settings.js";

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

/** Calls the action for a key; `main.js` defines the actions. */
export function listen(actions) {
  const always = {
    ArrowLeft: actions.back,
    ArrowRight: actions.forward,
    Home: actions.first,
    End: actions.last,
    Escape: actions.escape,
  };
  const letters = {
    m: actions.best,
    u: actions.undo,
    y: actions.redo,
    v: actions.variation,
    h: actions.hints,
    r: actions.flip,
    n: actions.fresh,
    x: actions.edit,
    "?": actions.help,
  };
  for (const pit of [0, 1, 2, 3, 4, 5]) {
    letters["abcdef"[pit]] = () => actions.play(pit);
    letters["123456"[pit]] = () => actions.play(pit);
  }
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey || isTaken(event)) return;
    const name = nameOf(event);
    if (event.ctrlKey) {
      if (name === "z" && actions.undoEdit()) event.preventDefault();
      return;
    }
    const place = event.target.closest?.("[data-place]")?.dataset.place;
    const step = { "+": 1, "-": -1 }[event.key];
    let action = always[name] ?? (settings.letterKeys ? letters[name] : undefined);
    if (place !== undefined && step && actions.change(place, step)) action = () => {};
    if (!action) return;
    event.preventDefault();
    action();
  });
}

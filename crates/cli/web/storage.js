// What stays in this browser, or without storage until the page is closed: values by their names,
// and the settings: language, the view and the opponent chosen last, and how the board and the moves
// are shown.

import { NAMES } from "./views.js";

/** The value that is stored under a name; null if there is none. */
export function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    // No storage, or not ours.
    return null;
  }
}

/** The list that is stored under a name. */
export function readList(name) {
  const found = read(name);
  return Array.isArray(found) ? found : [];
}

export function write(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // There is no storage, or it is full.
  }
}

// The settings

const KEY = "krou";

/** The languages of the page by their codes: each has a file in `text/`. */
export const LANGUAGES = document.documentElement.dataset.languages.split(" ");

/** The clocks of a game to choose from: see `clock.js`. */
export const CLOCKS = ["", "1-0", "3-2", "5-3", "10-5", "15-10", "30-20"];

/** The possible values of each setting; the first one is the default. */
const CHOICES = {
  language: ["", ...LANGUAGES],
  view: NAMES,
  hints: [true, false],
  letterKeys: [true, false],
  flipped: [false, true],
  speed: ["normal", "slow", "off"],
  sound: [false, true],
  lines: [3, 1, 2, 4, 5, 6],
  opponent: [...Array.from({ length: 13 }, (_, index) => `engine-${index + 1}`), "none", "random", "perfect"],
  side: ["south", "north", "random"],
  clock: CLOCKS,
  preview: [false, true],
  welcomed: [false, true],
};

export const settings = {};

const found = read(KEY) ?? {};
for (const [name, choices] of Object.entries(CHOICES)) {
  settings[name] = choices.includes(found[name]) ? found[name] : choices[0];
}

/** Changes settings and remembers them, if the browser allows it. */
export function change(changes) {
  Object.assign(settings, changes);
  write(KEY, settings);
}

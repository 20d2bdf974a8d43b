// What the page remembers in this browser: language, the view and the opponent chosen last, and
// how the board and the moves are shown.

import * as storage from "./storage.js";
import { NAMES } from "./views.js";

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

const found = storage.read(KEY) ?? {};
for (const [name, choices] of Object.entries(CHOICES)) {
  settings[name] = choices.includes(found[name]) ? found[name] : choices[0];
}

/** Changes settings and remembers them, if the browser allows it. */
export function change(changes) {
  Object.assign(settings, changes);
  storage.write(KEY, settings);
}

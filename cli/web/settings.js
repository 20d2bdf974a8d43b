// What the page remembers in this browser: language, the opponent chosen last, and how the
// board and the moves are shown.

const KEY = "krou";

/** The possible values of each setting; the first one is the default. */
const CHOICES = {
  language: ["", "en", "fr"],
  hints: [true, false],
  letterKeys: [true, false],
  flipped: [false, true],
  speed: ["normal", "slow", "off"],
  sound: [false, true],
  lines: [3, 1, 2, 4, 5, 6],
  opponent: ["engine-5", "none", "random", "engine-1", "engine-3", "engine-7", "engine-9", "perfect"],
  side: ["south", "north", "random"],
  welcomed: [false, true],
};

export const settings = {};

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    // No storage, or not ours: the defaults apply.
    return {};
  }
}

const found = stored();
for (const [name, choices] of Object.entries(CHOICES)) {
  settings[name] = choices.includes(found[name]) ? found[name] : choices[0];
}

/** Changes settings and remembers them, if the browser allows it. */
export function change(changes) {
  Object.assign(settings, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Without storage they last until the page is closed.
  }
}

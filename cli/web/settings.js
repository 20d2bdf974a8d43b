// What the page remembers in this browser: language, opponent, and how the board is shown.

const KEY = "krou";

/** The possible values of each setting; the first one is the default. */
const CHOICES = {
  language: ["", "en", "fr"],
  hints: [true, false],
  letterKeys: [true, false],
  flipped: [false, true],
  style: ["", "engine", "perfect", "random"],
  side: ["north", "south"],
  level: [5, 1, 2, 3, 4, 6, 7, 8, 9, 10],
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

// Somebody to play against, chosen in the panel; the server plays his moves.

import * as api from "./api.js";

const element = (id) => document.getElementById(id);
/** How long a move stays on the board before it is answered, in milliseconds. */
const PAUSE = 500;

export class Opponent {
  /** `onChange` is called when another one is chosen. */
  constructor(onChange) {
    const changed = () => {
      element("level-field").hidden = element("style").value !== "engine";
      element("level-shown").textContent = element("level").value;
      onChange();
    };
    for (const id of ["style", "side", "level"]) element(id).addEventListener("change", changed);
    element("level").addEventListener("input", () => {
      element("level-shown").textContent = element("level").value;
    });
  }

  /** Whether it is his turn. */
  moves(player) {
    return element("style").value !== "" && element("side").value === player;
  }

  /** The letter that he plays at the end of a game. */
  async reply(state, signal) {
    const who = { opponent: element("style").value, level: element("level").value };
    const pause = new Promise((resolve) => setTimeout(resolve, PAUSE));
    const [{ letter }] = await Promise.all([api.reply(state, who, signal), pause]);
    // He may have been stopped in the pause.
    signal.throwIfAborted();
    return letter;
  }
}

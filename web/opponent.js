// The opponent selected in the panel; the server chooses its moves.

import * as api from "./api.js";

const element = (id) => document.getElementById(id);
/** Minimum time before the opponent's move appears, in milliseconds. */
const PAUSE = 500;

export class Opponent {
  /** Calls `onChange` when the selection changes. */
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

  /** Whether the opponent plays for this player. */
  moves(player) {
    return element("style").value !== "" && element("side").value === player;
  }

  /** The letter of the opponent's move at the end of a game. */
  async reply(state, signal) {
    const selected = { opponent: element("style").value, level: element("level").value };
    const pause = new Promise((resolve) => setTimeout(resolve, PAUSE));
    const [{ letter }] = await Promise.all([api.reply(state, selected, signal), pause]);
    // The request may have been cancelled during the pause.
    signal.throwIfAborted();
    return letter;
  }
}

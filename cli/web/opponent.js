// The opponent chosen on its card. The choice is remembered; the server chooses the moves.

import * as api from "./api.js";
import { change, settings } from "./settings.js";
import { text } from "./texts.js";

const element = (id) => document.getElementById(id);
/** Minimum time before the opponent's move appears, in milliseconds. */
const PAUSE = 500;

export class Opponent {
  /** Calls `onChange` when the choice changes. */
  constructor(onChange) {
    for (const id of ["style", "side", "level"]) {
      element(id).addEventListener("change", () => {
        change({
          style: element("style").value,
          side: element("side").value,
          level: Number(element("level").value),
        });
        this.show();
        onChange();
      });
    }
    element("level").addEventListener("input", () => {
      element("level-shown").textContent = text.opponent.level(element("level").value);
    });
  }

  /** Shows the choice. */
  show() {
    for (const id of ["style", "side", "level"]) element(id).value = settings[id];
    element("level-field").hidden = settings.style !== "engine";
    element("level-shown").textContent = text.opponent.level(settings.level);
  }

  /** Whether the opponent plays for this player. */
  moves(player) {
    return settings.style !== "" && settings.side === player;
  }

  /** The letter of the opponent's move at the end of a game. */
  async reply(game, signal) {
    const pause = new Promise((resolve) => setTimeout(resolve, PAUSE));
    const { style, level } = settings;
    const asked = api.reply(game, style === "engine" ? { opponent: style, level } : { opponent: style }, signal);
    const [{ letter }] = await Promise.all([asked, pause]);
    // The request may have been cancelled during the pause.
    signal.throwIfAborted();
    return letter;
  }
}

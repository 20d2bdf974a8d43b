// A hint in a game of Play: a good move, from the tables or else from a search, when it is asked
// for. The `hint` of the state has the number of the position's `visit` and the `letter` of the
// move; null while it is looked for.

import { upTo } from "./address.js";
import * as api from "./api.js";
import { setText } from "./dom.js";
import { readMatch } from "./opponents.js";
import { openQuestions } from "./questions.js";
import { opponentsTurn, outcome, position, state, update } from "./state.js";
import { text } from "./texts.js";

/** How long the engine searches, in milliseconds. */
const TIME = 1000;

async function bestMove(signal) {
  const known = state.knowledge.position(state.rules, position().position);
  if (known?.probe) return known.probe.moves[0].letter;
  const { lines } = await api.analysis(upTo(state, state.ply), { lines: 1, movetime: TIME }, () => {}, signal);
  return lines[0].letters[0];
}

/** Looks for a good move of the user. */
export async function ask() {
  if (!readMatch(state.query) || state.query.room || outcome() || opponentsTurn()) return;
  const { visit } = state;
  const signal = openQuestions();
  update({ hint: { visit, letter: null } });
  try {
    const letter = await bestMove(signal);
    update({ hint: { visit, letter } });
  } catch (error) {
    update({ hint: null });
    if (!signal.aborted) throw error;
  }
}

/** The hint for the position that is shown, or null. */
const here = () => (state.hint?.visit === state.visit ? state.hint : null);

/** The letter of the move of the hint, or null. */
export const letter = () => here()?.letter ?? null;

/** Says the hint. */
export function show() {
  const hint = here();
  setText("hint-told", hint ? (hint.letter ? text.play.hinted(hint.letter) : text.play.looking) : "");
}

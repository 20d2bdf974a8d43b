// The moves of the user: pits that are played, or refused with a reason; and hints.

import { upTo } from "./address.js";
import * as api from "./api.js";
import { LETTERS, letter, owner } from "./board.js";
import { setText } from "./dom.js";
import { arrived, ask, go, play } from "./going.js";
import * as notice from "./notice.js";
import { readMatch } from "./opponents.js";
import { openQuestions } from "./questions.js";
import { atEnd, opponentsTurn, outcome, position, state, update, view } from "./state.js";
import { illegalSentence, values } from "./telling.js";
import { text } from "./texts.js";

/** How long the engine searches for a hint, in milliseconds. */
const HINT_TIME = 1000;

/** Why a pit cannot be played: a sentence, and a button. Null if it can. */
function refusal(pit) {
  const { to_move: player, legal, turn } = position();
  if (outcome()) return [text.notice.gameOver, { label: text.page.newGame, call: ["new"] }];
  if (state.waiting.reply) {
    // A second click on the pit that was just played means nothing.
    return turn?.letter === letter(pit) ? [""] : [text.notice.thinking(player)];
  }
  if (opponentsTurn()) return [text.notice.opponentsPit(player), { label: text.notice.letMove, call: ["let-move"] }];
  if (owner(pit) !== player) return [text.notice.notYourTurn(player)];
  return legal.includes(letter(pit)) ? null : [illegalSentence(letter(pit))];
}

/** Lets the opponent move here; later moves of the game are dropped. */
export function letOpponentMove() {
  return atEnd() ? ask() : go({ moves: state.moves.slice(0, state.ply) }, { push: true });
}

/** The moves that wait for the ones before them. */
let turns = Promise.resolve();

/** Plays the pit that `choose` returns, if any, once the moves that were asked for before have
 * been answered. */
export function playPit(choose) {
  const turn = turns.then(arrived).then(() => {
    const pit = choose();
    if (pit === null) return undefined;
    const [sentence, button] = refusal(pit) ?? [];
    if (sentence === "") return undefined;
    if (sentence) return notice.tell(sentence, { ...button, slip: true, place: pit });
    update({ asked: pit });
    return (view().play ?? play)(letter(pit));
  });
  turns = turn.catch(() => {});
  return turn;
}

export function playLetter(one) {
  return playPit(() => LETTERS.indexOf(one));
}

/** Plays the first moves of the best line. */
export function playLine(count) {
  const line = values().line.slice(0, count).map((move) => move.letter).join("");
  const moves = state.moves.slice(0, state.ply) + line;
  return go({ moves, ply: moves.length }, { push: true });
}

/** Plays the best move, if it is known. */
export function playBest() {
  if (!state.game || state.editing) return undefined;
  return playPit(() => {
    const best = values().moves.find((move) => move.best);
    return best ? LETTERS.indexOf(best.letter) : null;
  });
}

// A hint in a game of Play: a good move, from the tables or else from a search, when it is asked
// for. The `hint` of the state has the number of the position's `visit` and the `letter` of the
// move; null while it is looked for.

async function bestMove(signal) {
  const known = state.knowledge.position(state.rules, position().position);
  if (known?.probe) return known.probe.moves[0].letter;
  const { lines } = await api.analysis(upTo(state, state.ply), { lines: 1, movetime: HINT_TIME }, () => {}, signal);
  return lines[0].letters[0];
}

/** Looks for a good move of the user. */
export async function askHint() {
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
const hintHere = () => (state.hint?.visit === state.visit ? state.hint : null);

/** The letter of the move of the hint, or null. */
export const hintedLetter = () => hintHere()?.letter ?? null;

/** Says the hint. */
export function showHint() {
  const hint = hintHere();
  setText("hint-told", hint ? (hint.letter ? text.play.hinted(hint.letter) : text.play.looking) : "");
}

// The moves of the user: pits that are played, or refused with a reason.

import { arrived, ask, go, play } from "./going.js";
import * as notice from "./notice.js";
import { LETTERS, letter, owner } from "./pits.js";
import { atEnd, opponentsTurn, outcome, position, state, update, view } from "./state.js";
import { illegalSentence, values } from "./telling.js";
import { text } from "./texts.js";

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

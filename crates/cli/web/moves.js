// The moves of the user: pits that are played, or refused with a reason.

import { LETTERS, letter, owner } from "./board.js";
import * as notice from "./notice.js";
import { text } from "./texts.js";
import * as views from "./views.js";

export class Moves {
  /** `view` knows the values and the reasons against a move; `onNewGame` begins one. */
  constructor(session, { board, editor, view }, onNewGame) {
    Object.assign(this, { session, board, editor, view, onNewGame });
  }

  /** Why a pit cannot be played: a sentence and an action. Null if it can. */
  refusal(pit) {
    const { session } = this;
    const { to_move: player, legal, turn } = session.position();
    if (session.outcome()) return [text.notice.gameOver, { label: text.page.newGame, run: this.onNewGame }];
    if (session.open.reply) {
      // A second click on the pit that was just played means nothing.
      return turn?.letter === letter(pit) ? [""] : [text.notice.thinking(player)];
    }
    if (session.opponentsTurn()) {
      return [text.notice.opponentsPit(player), { label: text.notice.letMove, run: () => this.letOpponentMove() }];
    }
    if (owner(pit) !== player) return [text.notice.notYourTurn(player)];
    return legal.includes(letter(pit)) ? null : [this.view.illegalSentence(letter(pit))];
  }

  /** Lets the opponent move here; later moves of the game are dropped. */
  letOpponentMove() {
    const { session } = this;
    const { state } = session;
    if (session.atEnd()) session.ask();
    else session.go({ ...state, moves: state.moves.slice(0, state.ply) }, { push: true });
  }

  /** Plays the pit that `choose` returns, after the moves that were asked for before. */
  playPit(choose) {
    const { session, board } = this;
    session.inTurn(async () => {
      const pit = choose();
      const [sentence, action] = this.refusal(pit) ?? [];
      if (sentence === "") return;
      if (sentence) {
        notice.show(sentence, { ...action, slip: true });
        board.shake(pit);
        return;
      }
      board.ask(pit);
      const current = views.current();
      await (current.play ? current.play(letter(pit)) : session.play(letter(pit)));
    });
  }

  playLetter(one) {
    this.playPit(() => LETTERS.indexOf(one));
  }

  /** Plays moves of the best line. */
  playLine(line) {
    const { state } = this.session;
    const moves = state.moves.slice(0, state.ply) + line.map((move) => move.letter).join("");
    this.session.go({ ...state, moves, ply: moves.length }, { push: true });
  }

  playBest() {
    if (!this.session.game || this.editor.active) return;
    const best = this.view.values().moves.find((move) => move.best);
    if (best) this.playLetter(best.letter);
  }
}

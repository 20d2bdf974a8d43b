// The review of a whole game: estimates of all its positions, and marks for its moves.

import * as api from "./api.js";
import { moveText } from "./move-list.js";
import { sameGame } from "./state.js";
import { text } from "./texts.js";

const element = (id) => document.getElementById(id);
/** Milliseconds for each position. */
const MOVE_TIME = 150;
/** The marks, and from how many seeds given away they apply. */
const MARKS = { blunder: 6, mistake: 3, inaccuracy: 1.5 };

/** The mark of a move that gave seeds away, or null. */
function markOf(loss) {
  // As it is shown, with one decimal.
  const shown = Number(loss.toFixed(1));
  return Object.keys(MARKS).find((mark) => shown >= MARKS[mark]) ?? null;
}

export class Review {
  /** Adds what it learns to `knowledge`, and calls `onChange` after each answer. */
  constructor(knowledge, onChange) {
    this.knowledge = knowledge;
    this.onChange = onChange;
    this.running = null;
  }

  /** Reviews a game. */
  async start(game) {
    this.stop();
    const controller = new AbortController();
    const running = { game, controller, done: 0 };
    this.running = running;
    this.onChange();
    const onPosition = ({ ply, net, exact, line, depth }) => {
      running.done += 1;
      const lines = line ? [{ letters: line, net, exact, result: null }] : [];
      this.knowledge.addEstimate(game, ply, { net, exact, depth, result: null, lines });
      this.onChange();
    };
    const onMove = ({ ply, loss, exact, mark }) => {
      const turning = mark === "turning-point";
      this.knowledge.addReviewedMove(game, ply, { loss, exact, mark: markOf(loss), turning });
      this.onChange();
    };
    try {
      const handlers = { onPosition, onMove };
      const { turning_point: ply } = await api.review(game, { movetime: MOVE_TIME }, handlers, controller.signal);
      this.knowledge.addTurningPoint(game, ply ?? null);
    } finally {
      if (this.running === running) this.running = null;
      this.onChange();
    }
  }

  stop() {
    this.running?.controller.abort();
    this.running = null;
  }

  /** Stops the review unless it is of this game. */
  keep(game) {
    if (this.running && !sameGame(this.running.game, game)) this.stop();
  }

  /** Shows the button, and the summary of a game that has been reviewed. */
  show(state, game, hints) {
    const button = element("review");
    const all = game.positions.length;
    button.textContent = this.running ? text.game.reviewing(this.running.done, all) : text.game.review;
    button.setAttribute("aria-disabled", String(all < 2));
    const turning = this.knowledge.turningPoint(state);
    const summary = element("review-summary");
    summary.hidden = turning === undefined || !hints;
    summary.textContent = summary.hidden ? "" : this.summary(state, game, turning);
  }

  /** What each player gave away, and the turning point. */
  summary(state, game, turning) {
    const parts = ["south", "north"].flatMap((player) => {
      const moves = game.positions.flatMap(({ turn }, ply) => {
        return turn?.player === player ? [this.knowledge.reviewedMove(state, ply)] : [];
      }).filter(Boolean);
      if (moves.length === 0) return [];
      const lost = moves.reduce((sum, { loss }) => sum + loss, 0);
      const counts = Object.keys(MARKS).map((mark) => [mark, moves.filter((move) => move.mark === mark).length])
        .filter(([, number]) => number > 0)
        .map(([mark, number]) => text.game.counts[mark](number));
      const exact = moves.every((move) => move.exact);
      return [text.game.summary(player, exact ? Math.round(lost) : text.moves.about(Math.round(lost)), counts.join(", "))];
    });
    if (turning) {
      parts.push(text.game.turningPoint(text.moves.label(turning, moveText(game.positions[turning].turn), "", "")));
    }
    return parts.join(" ");
  }
}

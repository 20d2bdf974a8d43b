// The endgame trainer: the player against perfect play, from a position that the tables know,
// with a count of the seeds that were given away.

import { leadText, text } from "./texts.js";

const element = (id) => document.getElementById(id);
const OTHER = { south: "north", north: "south" };

/** The final lead of a player that is certain with best play, wherever a repetition is
 * stopped; null if it is not known. */
function certainLead(position, player) {
  const { value, stores, to_move: mover } = position;
  if (value === null) return null;
  const lead = stores[player] - stores[OTHER[player]];
  return mover === player ? lead + (position.lower ?? value) : lead - (position.upper ?? value);
}

/** What a player can still reach from a position: "win", "draw" or "loss". Null unless the
 * tables know it exactly. */
function prospect(position) {
  if (position.value === null || position.lower !== position.upper) return null;
  const lead = certainLead(position, position.to_move);
  return ["loss", "draw", "win"][Math.sign(lead) + 1];
}

/** Shows the door to the trainer where the value of the position is exact. */
export function showDoor(button, position, over) {
  const kind = over ? null : prospect(position);
  button.hidden = kind === null;
  button.textContent = kind ? text.trainer.door[kind] : "";
}

export class Trainer {
  constructor(session, { onAnother, onPuzzles }) {
    this.session = session;
    element("trainer-back").addEventListener("click", () => this.takeBack());
    element("trainer-again").addEventListener("click", () => this.goBackTo(0));
    element("trainer-another").addEventListener("click", onAnother);
    element("trainer-puzzles").addEventListener("click", onPuzzles);
    element("trainer-analyse").addEventListener("click", () => {
      session.go({ ...session.state, view: "analyse", query: {} }, { push: true });
    });
  }

  /** The player who is trained: the one to move at the start. */
  player() {
    return this.session.game.positions[0].to_move;
  }

  /** Whether the perfect opponent plays for a player. */
  moves(player) {
    return player !== this.player();
  }

  goBackTo(ply) {
    const { state } = this.session;
    this.session.go({ ...state, moves: state.moves.slice(0, ply), ply }, { push: true });
  }

  takeBack() {
    const ply = this.session.undoPly();
    if (ply !== null) this.goBackTo(ply);
  }

  /** The lead of the player at a ply that is certain, or that the game ends with. A game that
   * is decided counts as if it were played on. */
  leadAt(ply) {
    const { positions, outcome } = this.session.game;
    const player = this.player();
    if (!outcome || ply !== positions.length - 1) return certainLead(positions[ply], player);
    const { net } = positions[ply];
    if (net !== null) return player === "south" ? net : -net;
    return outcome.stores[player] - outcome.stores[OTHER[player]];
  }

  /** Shows the card. */
  show() {
    const { game, state } = this.session;
    const { ply } = state;
    const player = this.player();
    const possible = this.leadAt(0);
    const now = this.leadAt(ply);
    const kind = prospect(game.positions[0]);
    const counted = kind !== null && now !== null;
    element("trainer-task").textContent = kind ? text.trainer.task[kind](player) : text.trainer.title;
    element("trainer-count").hidden = !counted;
    if (counted) {
      element("trainer-possible").textContent = leadText(possible, true);
      element("trainer-now").textContent = leadText(now, true);
      element("trainer-lost").textContent = Math.max(possible - now, 0);
      element("trainer-lost").dataset.lost = String(now < possible);
    }
    element("trainer-told").textContent = counted ? this.told(possible, now) : text.trainer.unknown;
    for (const id of ["trainer-back", "trainer-again"]) element(id).setAttribute("aria-disabled", String(state.moves === ""));
  }

  /** What the last moves have come to, in a sentence. */
  told(possible, now) {
    const { session } = this;
    const { ply } = session.state;
    if (session.outcome()) {
      const [reached, most] = [leadText(now, true), leadText(possible, true)];
      if (now === possible) return text.trainer.perfect(reached);
      return now < possible ? text.trainer.reached(reached, most) : text.trainer.better(reached, most);
    }
    const own = this.lastOwnMove();
    if (own === null) return text.trainer.begin;
    const lost = this.leadAt(own) - this.leadAt(own + 1);
    const letter = session.game.moves[own];
    const said = lost > 0 ? text.trainer.gave(letter, lost) : text.trainer.kept(letter);
    const waits = session.position().to_move !== this.player() && ply === session.game.positions.length - 1;
    return waits ? `${said} ${text.trainer.thinking}` : said;
  }

  /** The ply of the last move of the player before the position that is shown, or null. */
  lastOwnMove() {
    const { positions } = this.session.game;
    for (let ply = this.session.state.ply - 1; ply >= 0; ply--) {
      if (positions[ply].to_move === this.player()) return ply;
    }
    return null;
  }
}

/** The state of the trainer from a position. */
export function trainerState(rules, position) {
  return { view: "puzzles", rules, start: position, moves: "", ply: 0, query: { trainer: "1" } };
}

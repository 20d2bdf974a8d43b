// The endgame trainer: the player against perfect play, from a position that the tables know,
// with a count of the seeds that were given away.

import { element, setText } from "./dom.js";
import { OTHER } from "./opponents.js";
import { outcome, position, state } from "./state.js";
import { leadText, text } from "./texts.js";

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

/** The address of the trainer from a position. */
export function trainerAddress(rules, start) {
  return { view: "puzzles", rules, start, moves: "", ply: 0, query: { trainer: "1" } };
}

/** Whether the trainer is shown. */
export function trains() {
  return state.query.trainer !== undefined;
}

/** The player who is trained: the one to move at the start. The perfect opponent plays for the
 * other one. */
export function player() {
  return state.game.positions[0].to_move;
}

/** The lead of the player at a ply that is certain, or that the game ends with. A game that
 * is decided counts as if it were played on. */
function leadAt(ply) {
  const { positions, outcome: ended } = state.game;
  const trained = player();
  if (!ended || ply !== positions.length - 1) return certainLead(positions[ply], trained);
  const { net } = positions[ply];
  if (net !== null) return trained === "south" ? net : -net;
  return ended.stores[trained] - ended.stores[OTHER[trained]];
}

/** The own moves that gave seeds away: their plies, and how many. */
function losses() {
  const found = [];
  for (let ply = 0; ply < state.moves.length; ply++) {
    if (state.game.positions[ply].to_move !== player()) continue;
    const lost = leadAt(ply) - leadAt(ply + 1);
    if (lost > 0) found.push({ ply, lost });
  }
  return found;
}

/** Shows at which moves seeds went: a button leads before each. */
function showLosses(found) {
  element("trainer-losses-title").hidden = found.length === 0;
  const list = element("trainer-losses");
  const shown = JSON.stringify([state.start, state.moves, found, text.code]);
  if (list.dataset.shown === shown) return;
  list.dataset.shown = shown;
  list.replaceChildren(...found.map(({ ply, lost }) => {
    const letter = state.game.moves[ply];
    const button = document.createElement("button");
    button.type = "button";
    Object.assign(button.dataset, { action: "ply", ply });
    button.textContent = `${ply + 1}. ${letter} −${lost}`;
    button.setAttribute("aria-label", `${button.textContent}: ${text.trainer.loss(ply + 1, letter, lost)}`);
    const item = document.createElement("li");
    item.append(button);
    return item;
  }));
}

/** Shows the card. */
export function show() {
  const possible = leadAt(0);
  const now = leadAt(state.ply);
  const kind = prospect(state.game.positions[0]);
  const counted = kind !== null && now !== null;
  element("trainer-task").textContent = kind ? text.trainer.task[kind](player()) : text.trainer.title;
  element("trainer-count").hidden = !counted;
  if (counted) {
    element("trainer-possible").textContent = leadText(possible, true);
    element("trainer-now").textContent = leadText(now, true);
    element("trainer-lost").textContent = Math.max(possible - now, 0);
    element("trainer-lost").dataset.lost = String(now < possible);
  }
  showLosses(counted ? losses() : []);
  setText("trainer-told", counted ? told(possible, now) : text.trainer.unknown);
  for (const id of ["trainer-back", "trainer-again"]) element(id).setAttribute("aria-disabled", String(state.moves === ""));
}

/** What the last moves have come to, in a sentence. */
function told(possible, now) {
  const { game, ply } = state;
  if (outcome()) {
    const [reached, most] = [leadText(now, true), leadText(possible, true)];
    if (now === possible) return text.trainer.perfect(reached);
    return now < possible ? text.trainer.reached(reached, most) : text.trainer.better(reached, most);
  }
  const own = lastOwnMove();
  if (own === null) return text.trainer.begin;
  const lost = leadAt(own) - leadAt(own + 1);
  const letter = game.moves[own];
  const said = lost > 0 ? text.trainer.gave(letter, lost) : text.trainer.kept(letter);
  const waits = position().to_move !== player() && ply === game.positions.length - 1;
  return waits ? `${said} ${text.trainer.thinking}` : said;
}

/** The ply of the last move of the player before the position that is shown, or null. */
function lastOwnMove() {
  for (let ply = state.ply - 1; ply >= 0; ply--) {
    if (state.game.positions[ply].to_move === player()) return ply;
  }
  return null;
}

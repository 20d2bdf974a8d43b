// The clocks of a game of Play. The `clock` of the address has the minutes for the whole game and
// the seconds more for each move, such as `5-3`. The `clock` of the state has the name of the
// `game`, the time `left` for each player in milliseconds, the number of `moves` so far, and
// the `player` whose clock has been running `since` a time; null while none runs.
//
// A clock runs once the seeds have arrived, from the second move on, and stands while the game is
// not on the screen; that of an opponent as well while a former position is, at which it does not
// think.

import { element } from "./dom.js";
import { end } from "./ending.js";
import * as keptGames from "./kept-games.js";
import { atEnd, outcome, state, until, update, view } from "./state.js";
import { text } from "./texts.js";

const PLAYERS = ["south", "north"];
/** From this time on tenths of a second are shown, in milliseconds. */
const HURRY = 10_000;

/** The minutes and seconds of a word for a clock; null if it names none. */
export function read(word = "") {
  const [minutes, seconds = 0] = word.split("-").map(Number);
  return minutes > 0 && seconds >= 0 ? { minutes, seconds } : null;
}

/** The time that a player has left. */
function leftOf(player) {
  const { left, player: running, since } = state.clock;
  return Math.max(left[player] - (running === player ? performance.now() - since : 0), 0);
}

/** Stops the clock that runs. */
export function stop() {
  if (!state.clock?.player) return;
  const left = Object.fromEntries(PLAYERS.map((player) => [player, leftOf(player)]));
  update({ clock: { ...state.clock, left, player: null } });
}

/** A position of the game is shown: the clock of the player who moved stops, and then that of the
 * other one runs. */
export async function arrive() {
  const rate = read(state.query.clock);
  const { game, moves, query, visit } = state;
  const player = game.positions.at(-1).to_move;
  const stands = document.hidden || moves === "" || outcome() || (!atEnd() && view().opponentOf(player));
  const isSame = state.clock?.game === query.game;
  if (rate && isSame && state.clock.player && state.clock.moves === moves.length && !stands) return;
  stop();
  update({ clock: rate && clockAfter(isSame ? state.clock : null, rate) });
  await until(() => !state.moving);
  if (!rate || stands || visit !== state.visit) return;
  follow({ ...state.clock, player, since: performance.now() }, () => end("time", player));
}

/** The clocks after the last move; null was no clock before. */
function clockAfter(before, { minutes, seconds }) {
  const { game, moves, query } = state;
  const whole = 60_000 * minutes;
  const left = { ...before?.left ?? keptGames.find(query.game)?.clock ?? { south: whole, north: whole } };
  if (moves.length === before?.moves + 1) left[game.positions.at(-1).turn.player] += 1000 * seconds;
  return { game: query.game, left, moves: moves.length, player: null, since: 0 };
}

/** Called with the player whose time is over. */
let onOver = null;
let timer = null;

/** Shows these clocks. One of them may run; `over` is called when its time is over. */
export function follow(next, over) {
  update({ clock: next });
  onOver = over;
  tick();
}

/** Draws the clock that runs whenever its text changes, and ends the game when it has run out. */
function tick() {
  clearTimeout(timer);
  const { clock, query } = state;
  if (!clock?.player) return;
  if (state.view !== "play" || query.game !== clock.game) return stop();
  const left = leftOf(clock.player);
  update();
  if (left > 0) timer = setTimeout(tick, left > HURRY ? (left % 1000) + 10 : 100);
  else {
    stop();
    onOver(clock.player);
  }
}

/** A time as minutes and seconds. */
function timeText(left) {
  if (left < HURRY) return text.decimal(Math.floor(left / 100) / 10);
  const seconds = Math.floor(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Shows both clocks, if the game has some. */
export function show() {
  element("clocks").hidden = !state.clock;
  if (!state.clock) return;
  for (const player of PLAYERS) {
    element(`clock-${player}`).textContent = timeText(leftOf(player));
    element(`clock-${player}`).parentElement.classList.toggle("running", state.clock.player === player);
  }
}

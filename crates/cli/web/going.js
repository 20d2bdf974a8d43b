// Going to another position, and asking about the one that is shown. The position of the state
// is always one that the answers have accepted.
//
// A later click wins: going somewhere drops what was on its way before. When a position is
// shown, the questions about the former one are dropped.

import { addressed, fresh, read, RULES, sameGame, upTo, write } from "./address.js";
import * as api from "./api.js";
import * as games from "./games.js";
import * as notice from "./notice.js";
import { askEngine, askTables, isKnown, learn, newQuestions, openQuestions, question, SHOW_DELAY, thinkOn } from "./questions.js";
import * as rulesets from "./rulesets.js";
import { atEnd, opponentsTurn, position, redoPly, state, undoPly, until, update, view } from "./state.js";
import { change } from "./storage.js";
import { sentenceOfPosition } from "./telling.js";
import { text } from "./texts.js";
import * as views from "./views.js";

/** How long a move waits for its events, in milliseconds. */
const EVENTS_DELAY = 250;

/** The review of the game: a part of Analyse, which may not have come. */
const review = () => views.find("analyse").review;

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

// Going to another position

/** Goes to another position once its game is accepted: `changes` are those of the address.
 * Returns whether it is shown; it is not if another one is on its way then. */
export async function go(changes, { push = false } = {}) {
  state.arriving?.controller.abort();
  const next = { ...addressed(state), ...changes };
  const move = moveTo(next);
  let step = move && stepOf(move);
  const controller = new AbortController();
  const { signal } = controller;
  update({ arriving: { controller, begun: step !== null }, step: step ?? state.step });
  try {
    const events = move && !step ? learnSoon(move.asked, signal) : null;
    const [game] = await Promise.all([gameOf(next, signal), events, views.load(next.view)]);
    signal.throwIfAborted();
    step ??= move && stepOf(move);
    const ply = Math.min(next.ply, game.positions.length - 1);
    const address = addressed({ ...next, start: game.start, ply });
    write(address, { push });
    const former = { arriving: null, asked: null, editing: null, notice: null };
    update({ ...address, ...former, game, step, visit: state.visit + 1 }, SHOW_DELAY);
    if (isKnown()) update();
  } catch (error) {
    if (signal.aborted) return false;
    update({ arriving: null, asked: null, step: null });
    throw error;
  }
  review()?.arrive();
  if (["play", "analyse"].includes(state.view)) games.arrive();
  ask();
  arriveInView();
  return true;
}

/** The tables have changed, perhaps of one layer alone: what they say of the game is asked for
 * again, unless its position is in another layer. */
export async function learnTables(layer) {
  state.knowledge.forgetTables();
  rulesets.refresh();
  if (layer !== undefined && state.game && position().seeds !== layer) return;
  try {
    await refreshGame();
  } catch (error) {
    notice.tellError(error, ["learn-tables"]);
  }
}

/** Asks for the same game again. */
async function refreshGame() {
  await arrived();
  if (!state.game) return;
  const { visit } = state;
  const game = await api.game(state);
  if (visit !== state.visit) return;
  update({ game }, SHOW_DELAY);
  ask();
}

/** Shows another position of the game. */
export function goTo(ply) {
  const { game } = state;
  if (!game || state.editing || ply < 0 || ply >= game.positions.length || ply === state.ply) return undefined;
  return go({ ply });
}

/** Lets the view know that another position is shown. */
export async function arriveInView() {
  const { visit } = state;
  try {
    await view().arrive?.();
  } catch (error) {
    if (visit === state.visit) notice.tellError(error, ["arrive"]);
  }
}

/** The game of an address. A move at the end of the part that is shown adds a position to it, and
 * a move that is taken back drops one; any other game is played by the answers. */
async function gameOf(next, signal) {
  const { game } = state;
  if (game && sameGame(next, state)) return game;
  const { length } = next.moves;
  const isPart = (moves, whole) => sameGame({ ...next, moves }, { ...state, moves: whole.slice(0, moves.length) });
  if (game && length === state.ply + 1 && isPart(next.moves.slice(0, -1), state.moves)) {
    const answer = await learn(next, signal);
    const positions = [...game.positions.slice(0, length), answer.position];
    return { ...game, moves: answer.moves, positions, outcome: answer.outcome };
  }
  const kept = game?.positions.slice(0, length + 1);
  const isOpen = kept?.every(({ ending }) => ending === null);
  if (isOpen && length < state.moves.length && isPart(next.moves, state.moves)) {
    return { ...game, moves: next.moves, positions: kept, outcome: null };
  }
  return api.game(next, signal);
}

/** The move between the position that is shown and another one: the position before it, its
 * letter, and whether it goes `back`; `asked` is the game whose last position that is. Null if
 * it takes more than one move. */
function moveTo({ rules, start, moves, ply }) {
  if (!state.game || Math.abs(ply - state.ply) !== 1) return null;
  const back = ply < state.ply;
  const first = Math.min(ply, state.ply);
  const asked = upTo({ rules, start, moves }, first);
  if (!sameGame(upTo(state, first), asked)) return null;
  return { asked, before: state.game.positions[first], letter: (back ? state.moves : moves)[first], from: position(), back };
}

/** What is to be shown of a move, or null if its events are not known. */
function stepOf({ asked, before, letter, from, back }) {
  const events = state.knowledge.events(asked.rules, before.position, letter);
  return events && { from, events, back };
}

/** Learns about a position, if the answer comes soon. */
function learnSoon(game, signal) {
  return Promise.race([learn(game, signal).catch(() => {}), pause(EVENTS_DELAY)]);
}

/** Waits for the position on its way, if any. */
export function arrived() {
  return until(() => state.arriving === null);
}

/** Goes to an address from elsewhere: a link, an example or a text. If its game is not legal, the
 * legal beginning is shown, or else a new game. */
export async function load(next, options) {
  try {
    return await go(next, options);
  } catch (error) {
    const { moves, ply } = error.details ?? {};
    const beginning = moves ?? (ply > 0 ? next.moves.slice(0, ply - 1) : undefined);
    if (error.code === "move" && beginning !== undefined && beginning !== next.moves) {
      const shown = await go({ ...next, moves: beginning, ply: beginning.length }, options);
      if (shown) notice.tell(text.notice.shortened(error.message, beginning.length + 1));
      return shown;
    }
    if (!state.game && error.code !== "no-connection") await go({ ...fresh(RULES), view: views.DEFAULT, query: {} });
    throw error;
  }
}

// Views

/** Goes to the address of the browser. */
export async function openAddress() {
  return load(await views.open(read()));
}

/** Notes where the view is left, for its door. */
export function noteLeft() {
  update({ left: { ...state.left, [state.view]: addressed(state) } });
}

/** Goes to another view through its door, and to the position that was left there. A game that is
 * played can be analysed. */
export async function enter(name) {
  if (!state.game || state.view === name) return;
  change({ view: name });
  const { rules, left } = state;
  noteLeft();
  const played = state.view === "play" && name === "analyse" && state.moves !== "";
  const blank = { view: name, rules, start: null, moves: "", ply: 0, query: {} };
  const next = played ? { view: name, query: {} } : left[name] ?? await views.open(blank);
  await load(next, { push: true });
}

// Playing

/** Plays a move in the position that is shown. Later moves of the game are dropped, unless it
 * is the same move. */
export function play(letter, { push = true } = {}) {
  const { moves, ply } = state;
  if (moves[ply] === letter) return go({ ply: ply + 1 });
  return go({ moves: moves.slice(0, ply) + letter, ply: ply + 1 }, { push });
}

/** Goes back to the position at a ply, and drops the moves after it. */
export function takeBackTo(ply) {
  return go({ moves: state.moves.slice(0, ply), ply }, { push: true });
}

/** Takes back the last move, and an opponent's reply with it. */
export function undo() {
  const ply = undoPly();
  if (ply === null) return undefined;
  const undone = redoPly() === null ? { ...upTo(state), lengths: [] } : state.undone;
  update({ undone: { ...undone, lengths: [...undone.lengths, state.moves.length] } });
  return takeBackTo(ply);
}

/** Plays again what was taken back last. */
export function redo() {
  const ply = redoPly();
  return ply === null ? undefined : go({ moves: state.undone.moves.slice(0, ply), ply }, { push: true });
}

// Questions about the position

/** Asks for all that is not known about the position, and for the opponent's move. */
export function ask() {
  const signal = newQuestions();
  if (!state.editing) {
    askAll(signal).catch((error) => signal.aborted || notice.tellError(error, ["ask"]));
  }
}

async function askAll(signal) {
  const replies = opponentsTurn() && atEnd();
  // The answers search for one question at a time.
  if (replies) review()?.stop();
  const tables = askTables(signal);
  const other = replies ? question("reply", reply(signal), signal) : askToSearch(signal);
  // Both are awaited below; until then a failure is not lost.
  other.catch(() => {});
  await tables.catch(() => {});
  if (signal.aborted) return undefined;
  notice.announce(sentenceOfPosition());
  return Promise.all([tables, other]);
}

async function askToSearch(signal) {
  if (await askEngine(signal)) notice.announce(sentenceOfPosition());
}

/** Lets the engine search the position until it is paused or another one is shown. */
export async function thinkLonger() {
  const signal = openQuestions();
  update({ paused: false });
  try {
    await thinkOn(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Asks the opponent, and plays its move. */
async function reply(signal) {
  const letter = await view().reply(upTo(state, state.ply), signal);
  // A click of the user comes first; if it was refused, the move still counts.
  await arrived();
  // The user's move and the reply are one step of the browser's history.
  if (!signal.aborted) await play(letter, { push: false });
}

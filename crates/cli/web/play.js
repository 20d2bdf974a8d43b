// The view for playing: choosing an opponent, a side and rules, the game, and its result.
// Values are hidden. The match is in the address, so that a link is a challenge; so is the time
// when the game began, which names it among the kept games.

import { addressed, fresh, START, write, written } from "./address.js";
import * as api from "./api.js";
import * as clock from "./clock.js";
import { copyLink, showCopyButton } from "./dialogs.js";
import { element } from "./dom.js";
import * as ending from "./ending.js";
import { go, load, play as playOn } from "./going.js";
import * as keptGames from "./kept-games.js";
import * as moveList from "./move-list.js";
import { hintedLetter, showHint } from "./moves.js";
import { OPPONENTS, OTHER, aboutOf, keyOf, nameOf, readMatch, strongerThan, withKey, writeMatch } from "./opponents.js";
import * as notice from "./notice.js";
import * as room from "./room.js";
import * as rulesets from "./rulesets.js";
import { opponentsTurn, outcome, position, state, until, update } from "./state.js";
import { change, CLOCKS, settings } from "./storage.js";
import { text } from "./texts.js";

/** The least time before the opponent's move appears, in milliseconds. */
const PAUSE = 500;

function setShown(id, shown) {
  element(id).hidden = !shown;
}

/** Who plays: an opponent and the user's side. Null before the game. */
const match = () => readMatch(state.query);

// The view

export function open(next) {
  return { ...next, ...fresh(next.rules) };
}

/** Another position is shown: the game is kept, unless the user only watches. One from a link
 * gets its name. */
export async function arrive() {
  if (!match()) return room.leave();
  if (room.isOpen()) {
    await room.arrive();
    if (room.isOpen() && room.side()) keep();
    return undefined;
  }
  room.leave();
  if (!state.query.game) {
    update({ query: { ...state.query, game: newName() } });
    write(addressed(state));
  }
  clock.arrive();
  return keep();
}

function keep() {
  const { rules, start, moves, query, game } = state;
  const over = ending.outcomeOf(game);
  const result = over && { winner: over.winner, reason: over.reason_code };
  const { stores } = over ?? game.positions.at(-1);
  keptGames.keep({ rules, start, moves, query, stores, result, clock: state.clock?.left ?? null });
}

/** The page is left. */
export function leave() {
  if (room.isOpen()) return room.leave();
  if (state.view !== "play" || !state.clock) return;
  clock.stop();
  keep();
}

/** The name of a game that begins now. */
const newName = () => String(Date.now());

export const northBelow = () => match()?.side === "north";

export { goOn, outcomeOf } from "./ending.js";

export { room };

export const hinted = hintedLetter;

export function opponentOf(player) {
  if (room.isOpen()) return !room.isTurnOf(player);
  const played = match();
  return played !== null && played.opponent !== "none" && player !== played.side;
}

/** A move of the user. Before the game it is the first move of a game as chosen. */
export function play(letter) {
  if (!match()) return start({ ...chosen(), side: position().to_move }, settings.clock, letter);
  if (room.isOpen()) return room.play(letter);
  update({ query: ending.withoutEnd(state.query) });
  return playOn(letter);
}

/** The letter of the opponent's move at the end of a game, once the seeds have arrived. */
export async function reply(game, signal) {
  if (room.isOpen()) return room.reply(signal);
  const pause = new Promise((resolve) => setTimeout(resolve, PAUSE));
  const { opponent, level } = match();
  const asked = api.reply(game, opponent === "engine" ? { opponent, level } : { opponent }, signal);
  const [{ letter }] = await Promise.all([asked, pause]);
  await until(() => !state.moving);
  // The request may have been cancelled during the pause.
  signal.throwIfAborted();
  return letter;
}

/** Whose turn it is once the seeds have arrived, or the result, from the user's side; null where
 * nothing is to be said in its own way. */
export function told(over) {
  const played = match();
  if (!played) return null;
  if (!over && state.moving && !state.step.back) return text.play.sows(state.step.from.to_move);
  const side = room.isOpen() ? room.side() : played.side;
  if (!side || (played.opponent === "none" && !room.isOpen())) return null;
  if (over) return resultFor(side, over);
  const isOwn = room.isOpen() ? room.isTurnOf(side) : true;
  return isOwn && position().to_move === side ? text.play.yourTurn(side) : null;
}

function resultFor(side, { winner, stores, reason_code: reason }) {
  const [own, other] = [stores[side], stores[OTHER[side]]];
  if (!winner) return text.play.drawn(own);
  const result = winner === side ? "won" : "lost";
  return text.play.early[reason]?.[result] ?? text.play[result](own, other);
}

// Setting up

/** The match that is chosen in the form. */
function chosen() {
  const { side } = settings;
  const drawn = side === "random" ? ["south", "north"][Math.floor(2 * Math.random())] : side;
  return { ...withKey(settings.opponent), side: drawn };
}

export function changeRules(rules) {
  return go({ rules, moves: "", ply: 0 });
}

/** The query of a match, perhaps with a clock. */
const queryOf = (next, rate) => ({ ...writeMatch(next), ...(clock.read(rate) ? { clock: rate } : {}) });

/** Starts a game of a match from the beginning, perhaps with a first move. */
function start(next, rate, moves = "") {
  return go({ view: "play", moves, ply: moves.length, query: { ...queryOf(next, rate), game: newName() } }, { push: true });
}

/** Makes a room for a game as chosen. */
export const startWithFriend = () => room.make(state, chosen().side, clock.read(settings.clock));

export const startChosen = () => start(chosen(), settings.clock);

export const rematch = () => (room.isOpen() ? room.act("rematch") : start(match(), state.query.clock));

export const swapSides = () => start({ ...match(), side: OTHER[match().side] }, state.query.clock);

/** Resigns for the user, or for the player to move where two share the board. */
export async function resign() {
  if (room.isOpen()) return room.act("resign");
  const { opponent, side } = match();
  const player = opponent === "none" ? state.game.positions.at(-1).to_move : side;
  if (await ending.end("resigned", player)) {
    notice.tell(text.play.early.resigned.done(player), { label: text.page.undo, call: ["history-back"], calm: true });
  }
}

export const agree = () => (room.isOpen() ? room.act("agree") : ending.end("agreed", match().side));

/** Starts a game against the next stronger opponent, which the form then offers, too. */
export function playStronger() {
  const { side, ...played } = match();
  const stronger = strongerThan(played);
  change({ opponent: keyOf(stronger) });
  return start({ ...stronger, side }, state.query.clock);
}

/** Shows the form for a new game from the start position. A button leads back to a game that is
 * not over. */
export async function setUp() {
  const left = match() && state.moves !== "" && !outcome();
  const shown = await go({ ...fresh(state.rules), view: "play", query: {} }, { push: true });
  if (shown && left) notice.tell(text.kept.left, { label: text.notice.backToGame, call: ["history-back"], calm: true });
}

/** Opens a kept game where it was left; one that ended in a room, where it can be analysed. */
export function openKept(name) {
  const { rules, start, moves, query, result } = keptGames.find(name);
  if (query.room && result) return load({ view: "analyse", rules, start, moves, ply: moves.length, query: {} }, { push: true });
  return load({ view: "play", rules, start, moves, ply: moves.length, query }, { push: true });
}

/** Deletes a kept game. A button brings it back. */
export function deleteKept(name) {
  const game = keptGames.find(name);
  keptGames.remove(name);
  notice.tell(text.kept.removed, { label: text.page.undo, call: ["kept-restore", { game }], calm: true });
}

/** Copies a link that starts a match in the position that is shown: that of the game, or the one
 * that is chosen in the form. `button` is the one that was clicked. */
export function challenge(button) {
  const start = outcome() ? state.start : position().position;
  const query = match() ? queryOf(match(), state.query.clock) : queryOf(chosen(), settings.clock);
  return copyLink(written({ ...fresh(state.rules), view: "play", start, query }), button);
}

// Showing

/** Shows the form, or the game and its result. */
export function show() {
  const played = match();
  const over = Boolean(outcome()) && !state.moving;
  document.body.classList.toggle("setting-up", !played);
  setShown("setup", !played);
  setShown("status-card", Boolean(played));
  setShown("playing", Boolean(played));
  setShown("result", Boolean(played) && over);
  element("status-card").classList.toggle("over", Boolean(played) && over);
  showCopyButton("challenge", text.play.challenge);
  showCopyButton("challenge-here", text.play.challenge);
  setShown("kept", !played);
  if (played) showMatch(played);
  else showForm();
}

function showMatch(played) {
  const alone = played.opponent === "none";
  const over = outcome();
  const { game } = state;
  const watches = room.isOpen() && !room.side();
  setShown("swap", !alone && !room.isOpen());
  setShown("rematch", !watches);
  setShown("challenge-here", !room.isOpen());
  setShown("mail", !api.hasRooms && alone && state.moves !== "");
  showCopyButton("mail", text.room.mail);
  room.show();
  const stronger = over?.winner === played.side ? strongerThan(played) : undefined;
  setShown("stronger", Boolean(stronger));
  if (stronger) element("stronger").textContent = text.play.stronger(nameOf(stronger));
  setShown("go-on", !room.isOpen() && over?.reason_code === "majority" && ending.canGoOn(game));
  const goesOn = room.isOpen() ? room.goesOn() : !ending.outcomeOf(game);
  setShown("resign", goesOn && (room.isOpen() || state.moves !== ""));
  setShown("agree", goesOn && ending.goesInCircles(game));
  setShown("hint", !room.isOpen() && !over && !opponentsTurn());
  showHint();
  clock.show();
  element("playing-title").textContent = room.isOpen() ? text.room.title : alone ? nameOf(played) : text.play.against(nameOf(played));
  element("playing-about").textContent = room.isOpen() ? (room.side() ? text.play.youAre(room.side()) : "") : alone ? aboutOf(played) : `${text.play.youAre(played.side)} ${aboutOf(played)}`;
  moveList.showGame(element("play-moves"), game, state.ply);
}

/** Shows the opponents and the rules to choose from, and where the game starts. */
function showForm() {
  setShown("friend", api.hasRooms);
  const list = element("opponents");
  if (list.dataset.shown !== text.code) {
    list.dataset.shown = text.code;
    list.replaceChildren(...OPPONENTS.map(makeOption));
  }
  document.querySelector(`#opponents [value=${settings.opponent}]`).checked = true;
  element("opponent-about").textContent = aboutOf(withKey(settings.opponent));
  document.querySelector(`#sides [value=${settings.side}]`).checked = true;
  rulesets.fillByName(element("play-rules"), state.rules);
  showClocks(element("play-clock"));
  keptGames.show();
  setShown("setup-position", state.start !== START);
  element("setup-position").textContent = text.play.fromPosition;
}

function showClocks(select) {
  if (select.dataset.shown !== text.code) {
    select.dataset.shown = text.code;
    select.replaceChildren(...CLOCKS.map((rate) => new Option(rate ? text.play.clock(clock.read(rate)) : text.play.noClock, rate)));
  }
  select.value = settings.clock;
}

function makeOption(one) {
  const label = document.createElement("label");
  const radio = document.createElement("input");
  const name = document.createElement("span");
  Object.assign(radio, { type: "radio", name: "opponent", value: keyOf(one) });
  radio.dataset.action = "opponent";
  name.textContent = nameOf(one);
  label.append(radio, name);
  return label;
}

// The view for playing: choosing an opponent, a side and rules, the game, and its result.
// Values are hidden. The match is in the address, so that a link is a challenge; so is the time
// when the game began, which names it among the kept games.

import { addressed, fresh, START, write, written } from "./address.js";
import * as api from "./api.js";
import { copyLink, showCopyButton } from "./copying.js";
import { element } from "./dom.js";
import { go, load, play as playOn } from "./going.js";
import * as keptGames from "./kept-games.js";
import * as keptGamesCard from "./kept-games-card.js";
import * as moveList from "./move-list.js";
import { OPPONENTS, OTHER, aboutOf, keyOf, nameOf, readMatch, strongerThan, withKey, writeMatch } from "./opponents.js";
import * as notice from "./notice.js";
import * as rulesets from "./rulesets.js";
import { change, settings } from "./settings.js";
import { outcome, position, state, until, update } from "./state.js";
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

/** Another position is shown: the game is kept. One from a link gets its name. */
export function arrive() {
  const played = match();
  if (!played) return;
  if (!state.query.game) {
    update({ query: { ...state.query, game: newName() } });
    write(addressed(state));
  }
  const { rules, start, moves, query, game } = state;
  const over = game.outcome;
  const result = over && { winner: over.winner, reason: over.reason_code };
  const { stores } = over ?? game.positions.at(-1);
  keptGames.keep({ rules, start, moves, query, stores, result });
}

/** The name of a game that begins now. */
const newName = () => String(Date.now());

export const northBelow = () => match()?.side === "north";

export function opponentOf(player) {
  const played = match();
  return played !== null && played.opponent !== "none" && player !== played.side;
}

/** A move of the user. Before the game it is the first move of a game as chosen. */
export function play(letter) {
  return match() ? playOn(letter) : start({ ...chosen(), side: position().to_move }, letter);
}

/** The letter of the opponent's move at the end of a game, once the seeds have arrived. */
export async function reply(game, signal) {
  const pause = new Promise((resolve) => setTimeout(resolve, PAUSE));
  const { opponent, level } = match();
  const asked = api.reply(game, opponent === "engine" ? { opponent, level } : { opponent }, signal);
  const [{ letter }] = await Promise.all([asked, pause]);
  await until(() => !state.moving);
  // The request may have been cancelled during the pause.
  signal.throwIfAborted();
  return letter;
}

/** Whose turn it is, or the result, from the user's side; null for two players. */
export function told(over) {
  const played = match();
  if (!played || played.opponent === "none") return null;
  const { side } = played;
  if (over) {
    const { winner, stores } = over;
    const [own, other] = [stores[side], stores[OTHER[side]]];
    if (!winner) return text.play.drawn(own);
    return winner === side ? text.play.won(own, other) : text.play.lost(own, other);
  }
  return position().to_move === side ? text.play.yourTurn(side) : null;
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

/** Starts a game of a match from the beginning, perhaps with a first move. */
function start(next, moves = "") {
  return go({ view: "play", moves, ply: moves.length, query: { ...writeMatch(next), game: newName() } }, { push: true });
}

export const startChosen = () => start(chosen());

export const rematch = () => start(match());

export const swapSides = () => start({ ...match(), side: OTHER[match().side] });

/** Starts a game against the next stronger opponent, which the form then offers, too. */
export function playStronger() {
  const { side, ...played } = match();
  const stronger = strongerThan(played);
  change({ opponent: keyOf(stronger) });
  return start({ ...stronger, side });
}

/** Shows the form for a new game from the start position. A button leads back to a game that is
 * not over. */
export async function setUp() {
  const left = match() && state.moves !== "" && !outcome();
  const shown = await go({ ...fresh(state.rules), view: "play", query: {} }, { push: true });
  if (shown && left) notice.tell(text.kept.left, { label: text.notice.backToGame, call: ["history-back"], calm: true });
}

/** Opens a kept game where it was left. */
export function openKept(name) {
  const { rules, start, moves, query } = keptGames.find(name);
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
  const query = writeMatch(match() ?? chosen());
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
  setShown("swap", !alone);
  const stronger = outcome()?.winner === played.side ? strongerThan(played) : undefined;
  setShown("stronger", Boolean(stronger));
  if (stronger) element("stronger").textContent = text.play.stronger(nameOf(stronger));
  element("playing-title").textContent = alone ? nameOf(played) : text.play.against(nameOf(played));
  element("playing-about").textContent = alone ? aboutOf(played) : `${text.play.youAre(played.side)} ${aboutOf(played)}`;
  moveList.showGame(element("play-moves"), state.game, state.ply);
}

/** Shows the opponents and the rules to choose from, and where the game starts. */
function showForm() {
  const list = element("opponents");
  if (list.dataset.shown !== text.code) {
    list.dataset.shown = text.code;
    list.replaceChildren(...OPPONENTS.map(makeOption));
  }
  document.querySelector(`#opponents [value=${settings.opponent}]`).checked = true;
  element("opponent-about").textContent = aboutOf(withKey(settings.opponent));
  document.querySelector(`#sides [value=${settings.side}]`).checked = true;
  rulesets.fill(element("play-rules"), state.rules);
  keptGamesCard.show();
  setShown("setup-position", state.start !== START);
  element("setup-position").textContent = text.play.fromPosition;
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

// The page: what is shown follows from the address, and whatever is done on the page
// changes the address. The rules are the server's: it is asked for every game.

import * as api from "./api.js";
import { Board } from "./board.js";
import { Editor } from "./editor.js";
import { Graph } from "./graph.js";
import * as keys from "./keys.js";
import { Opponent } from "./opponent.js";
import * as panel from "./panel.js";
import * as states from "./state.js";
import { NAMES, letter, owner, signed, turnTold } from "./words.js";

const element = (id) => document.getElementById(id);
/** Moves of a best line that are asked for. */
const LINE_PLIES = 14;
/** Milliseconds in which an answer comes at once. */
const SOON = 80;
const NOTHING = { probe: null, line: null };

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

let state = states.read();
/** The game of the state, as the server tells it. */
let game = null;
/** What is known of the position shown: its worth and moves, and its best line. */
let known = NOTHING;
/** The same of all positions shown before. */
const learned = new Map();
let hints = true;
/** What is being asked for; a newer question ends it. */
let asking = new AbortController();
/** The signal of the question that an opponent thinks about. */
let thinking = null;

const board = new Board(element("board"), { onPit, onStore });
const graph = new Graph(element("graph"), goTo);
const editor = new Editor((start) => go({ ...state, start, moves: "", ply: 0 }));
const opponent = new Opponent(() => go(state, { answer: true }));

const position = () => game.positions[state.ply];
const atEnd = () => state.ply === game.positions.length - 1;
const outcome = () => (atEnd() ? game.outcome : null);

/** Shows another state, once the server has said that there is such a game. With
 * `answer`, an opponent whose turn it is makes his move. */
async function go(next, { push = false, answer = false } = {}) {
  asking.abort();
  asking = new AbortController();
  thinking = null;
  const { signal } = asking;
  try {
    const same = game && ["rules", "start", "moves"].every((part) => next[part] === state[part]);
    const found = same ? game : await api.game(next, signal);
    panel.showError(null);
    game = found;
    state = { ...next, start: game.start };
    states.write(state, { push });
    known = NOTHING;
    const learning = learn(signal);
    // What comes at once is shown at once, lest the page flickers.
    await Promise.race([learning.catch(() => null), pause(SOON)]);
    signal.throwIfAborted();
    show();
    await learning;
    show();
    panel.announce(summary());
    if (answer && atEnd() && !outcome() && !editor.active && opponent.moves(position().to_move)) {
      await playLetter(await reply(signal));
    }
    return true;
  } catch (error) {
    if (error.name === "AbortError") return true;
    panel.showError(error instanceof api.ServerError ? error.message : `This page has failed: ${error.message}.`);
    return false;
  }
}

/** The letter of the opponent, who is seen to think. */
async function reply(signal) {
  thinking = signal;
  showStatus();
  try {
    return await opponent.reply(state, signal);
  } finally {
    if (thinking === signal) thinking = null;
    showStatus();
  }
}

/** Whether a move may be made now: while an opponent thinks, it is his. */
function mayPlay() {
  if (thinking) panel.showError(`${NAMES[position().to_move]} is thinking: wait for the move, or go back.`);
  return !thinking;
}

/** Finds out what the position is worth, and the best line. */
async function learn(signal) {
  if (outcome()) return;
  const { rules } = state;
  const text = position().position;
  const key = `${rules} ${text}`;
  if (!learned.has(key)) {
    const [probe, line] = await Promise.all([
      api.probe(rules, text, signal),
      api.mainline(rules, text, LINE_PLIES, signal),
    ]);
    learned.set(key, { probe, line: line.line ? line : null });
  }
  signal.throwIfAborted();
  known = learned.get(key);
}

function show() {
  const over = Boolean(outcome());
  board.show(shownPosition(), { moves: over ? [] : known.probe?.moves, over, editing: editor.active, hints });
  const told = hints ? game : withoutWorths(game);
  graph.show(told, state.ply, hints ? "The line begins where the tables do." : "Worths are hidden.");
  showStatus();
  panel.showLine(hints && !over ? known.line : undefined, (index) => playLine(index + 1));
  panel.showMoves(told, state.ply, goTo);
  if (editor.active) editor.show(position());
  element("ply").textContent = `${state.ply} / ${game.positions.length - 1}`;
  element("rules").value = state.rules;
  for (const [id, idle] of [["first", state.ply === 0], ["back", state.ply === 0], ["forward", atEnd()], ["last", atEnd()]]) {
    element(id).setAttribute("aria-disabled", String(idle));
  }
  element("best").setAttribute("aria-disabled", String(!known.line?.line.length));
}

function showStatus() {
  panel.showStatus(position(), hints ? known.probe : null, outcome(), thinking !== null);
}

/** The game as those see it who want to find out for themselves. */
function withoutWorths(full) {
  return { ...full, positions: full.positions.map((one) => ({ ...one, net: null })) };
}

/** The position, with the final stores where the game is over. */
function shownPosition() {
  const over = outcome();
  return over ? { ...position(), stores: over.stores } : position();
}

/** The position in a few sentences, for those who do not see it. */
function summary() {
  const { turn, to_move: toMove } = position();
  const parts = turn ? [turnTold(turn)] : [];
  const over = outcome();
  if (over) parts.push(over.reason, over.result);
  else parts.push(`${NAMES[toMove]} to move.`);
  if (hints && known.probe?.value != null) parts.push(`Worth ${signed(known.probe.value)}.`);
  return parts.join(" ");
}

/** Shows another position of the game. */
function goTo(ply) {
  if (!game || ply < 0 || ply >= game.positions.length || ply === state.ply) return;
  go({ ...state, ply }, { answer: true });
}

/** Plays a move at the position shown; what was played after it before is dropped,
 * unless it is the same move. */
function playLetter(played) {
  const { moves, ply } = state;
  if (moves[ply] === played) return go({ ...state, ply: ply + 1 }, { answer: true });
  const next = { ...state, moves: moves.slice(0, ply) + played, ply: ply + 1 };
  return go(next, { push: true, answer: true });
}

/** Plays the best line up to so many moves. */
function playLine(length) {
  if (!mayPlay()) return;
  const played = known.line.letters.slice(0, length);
  const moves = state.moves.slice(0, state.ply) + played;
  go({ ...state, moves, ply: moves.length }, { push: true, answer: true });
}

async function onPit(pit, forced) {
  if (editor.active) return change(pit, forced);
  if (forced || !game) return;
  const { to_move: toMove } = position();
  if (!mayPlay()) {
    board.refuse(pit);
  } else if (!outcome() && owner(pit) !== toMove) {
    panel.showError(`It is ${NAMES[toMove]}'s turn.`);
    board.refuse(pit);
  } else if (!(await playLetter(letter(pit)))) {
    board.refuse(pit);
  }
}

function onStore(player, forced) {
  if (editor.active) edited(editor.store(player, forced));
}

function change(pit, forced) {
  if (editor.active) edited(editor.pit(pit, forced));
}

function edited(fits) {
  if (!fits) panel.showError("That cannot be: a game has 48 seeds, and no pit less than none.");
}

function edit() {
  if (!game) return;
  editor.toggle(!editor.active);
  if (editor.active) go({ ...state, start: position().position, moves: "", ply: 0 }, { push: true });
  else go(state, { answer: true });
}

function showHints() {
  hints = !hints;
  element("hints").setAttribute("aria-pressed", String(hints));
  if (game) show();
}

async function share() {
  try {
    await navigator.clipboard.writeText(location.href);
    said(element("share"), "Copied");
  } catch {
    panel.showError("The link could not be copied: take it from the address bar.");
  }
}

/** Lets a button say something for a moment. */
function said(button, text) {
  const before = button.textContent;
  button.textContent = text;
  panel.announce(text);
  setTimeout(() => { button.textContent = before; }, 1500);
}

const actions = {
  back: () => goTo(state.ply - 1),
  forward: () => goTo(state.ply + 1),
  first: () => goTo(0),
  last: () => goTo(game?.positions.length - 1),
  best: () => known.line?.line.length && mayPlay() && playLetter(known.line.line[0].letter),
  hints: showHints,
  fresh: () => go(states.fresh(state.rules), { push: true, answer: true }),
  edit,
  help: () => element("help-text").showModal(),
  play: (pit) => game && onPit(position().to_move === "south" ? pit : pit + 6, 0),
  change,
};

for (const id of ["back", "forward", "first", "last", "best", "hints", "edit", "help"]) {
  element(id).addEventListener("click", actions[id]);
}
element("new").addEventListener("click", actions.fresh);
element("share").addEventListener("click", share);
element("rules").addEventListener("change", () => {
  go(states.fresh(element("rules").value), { push: true, answer: true });
});
addEventListener("popstate", () => go(states.read()));
keys.listen(actions);

/** Fills the choice of rulesets. */
async function listRulesets() {
  const names = (await api.rulesets()).map(({ name, highest }) => ({
    name,
    text: highest === null ? `${name} (no tables)` : `${name} (to ${highest} seeds)`,
  }));
  if (!names.some(({ name }) => name === state.rules)) names.push({ name: state.rules, text: state.rules });
  element("rules").replaceChildren(...names.map(({ name, text }) => new Option(text, name)));
  element("rules").value = state.rules;
}

/** The first position; if the address makes no sense, that is told above a new game. */
async function begin() {
  if (!(await go(state)) && !game) {
    const { textContent: sentence } = element("error");
    await go(states.fresh("awari"));
    panel.showError(sentence);
  }
  await listRulesets().catch((error) => panel.showError(error.message));
}

begin();

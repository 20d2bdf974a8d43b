// The page. The address holds the state: every action changes the address, and the page
// shows what the address says. The server knows the rules and plays every game.

import * as api from "./api.js";
import { Board } from "./board.js";
import { Editor } from "./editor.js";
import { Graph } from "./graph.js";
import * as keys from "./keys.js";
import { Opponent } from "./opponent.js";
import * as panel from "./panel.js";
import * as states from "./state.js";
import { NAMES, TEXT, letter, moveSentence, owner, signed } from "./words.js";

const element = (id) => document.getElementById(id);
/** Number of moves to request for the best line. */
const LINE_PLIES = 14;
/** Milliseconds to wait for values before showing a position without them. */
const SHOW_DELAY = 80;
const NOTHING = { probe: null, line: null };

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

let state = states.read();
/** The game of the state, from the server. */
let game = null;
/** What is known about the current position: its value and moves, and its best line. */
let known = NOTHING;
/** The same for all positions shown before. */
const cache = new Map();
let hints = true;
/** Cancels the requests in progress when a new state is requested. */
let requests = new AbortController();
/** The signal of the opponent's request in progress. */
let thinking = null;

const board = new Board(element("board"), { onPit, onStore });
const graph = new Graph(element("graph"), goTo);
const editor = new Editor((start) => go({ ...state, start, moves: "", ply: 0 }));
const opponent = new Opponent(() => go(state, { answer: true }));

const position = () => game.positions[state.ply];
const atEnd = () => state.ply === game.positions.length - 1;
const outcome = () => (atEnd() ? game.outcome : null);

/** Shows another state once the server has accepted the game. With `answer`, the
 * opponent moves if it is to move. */
async function go(next, { push = false, answer = false } = {}) {
  requests.abort();
  requests = new AbortController();
  thinking = null;
  const { signal } = requests;
  try {
    const same = game && ["rules", "start", "moves"].every((part) => next[part] === state[part]);
    const found = same ? game : await api.game(next, signal);
    panel.showError(null);
    game = found;
    state = { ...next, start: game.start };
    states.write(state, { push });
    known = NOTHING;
    const query = queryPosition(signal);
    // Values that arrive soon are shown at once, so that the page does not flicker.
    await Promise.race([query.catch(() => null), pause(SHOW_DELAY)]);
    signal.throwIfAborted();
    show();
    await query;
    show();
    panel.announce(summary());
    if (answer && atEnd() && !outcome() && !editor.active && opponent.moves(position().to_move)) {
      await playLetter(await reply(signal));
    }
    return true;
  } catch (error) {
    if (error.name === "AbortError") return true;
    panel.showError(error instanceof api.ServerError ? error.message : `The page failed: ${error.message}.`);
    return false;
  }
}

/** The opponent's move; the status shows that it is thinking. */
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

/** Whether the user may move: not while the opponent is thinking. */
function mayPlay() {
  if (thinking) panel.showError(`${NAMES[position().to_move]} is thinking: wait for the move, or go back.`);
  return !thinking;
}

/** Requests the value and the best line of the position. */
async function queryPosition(signal) {
  if (outcome()) return;
  const { rules } = state;
  const text = position().position;
  const key = `${rules} ${text}`;
  if (!cache.has(key)) {
    const [probe, line] = await Promise.all([
      api.probe(rules, text, signal),
      api.mainline(rules, text, LINE_PLIES, signal),
    ]);
    cache.set(key, { probe, line: line.line ? line : null });
  }
  signal.throwIfAborted();
  known = cache.get(key);
}

function show() {
  const over = Boolean(outcome());
  board.show(shownPosition(), { moves: over ? [] : known.probe?.moves, over, editing: editor.active, hints });
  const shown = hints ? game : withoutValues(game);
  graph.show(shown, state.ply, hints ? TEXT.noValuesYet : TEXT.valuesHidden);
  showStatus();
  panel.showLine(hints && !over ? known.line : undefined, (index) => playLine(index + 1));
  panel.showMoves(shown, state.ply, goTo);
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

/** The game without values. */
function withoutValues(full) {
  return { ...full, positions: full.positions.map((one) => ({ ...one, net: null })) };
}

/** The position, with the final stores where the game is over. */
function shownPosition() {
  const over = outcome();
  return over ? { ...position(), stores: over.stores } : position();
}

/** The position in sentences, for screen readers. */
function summary() {
  const { turn, to_move: toMove } = position();
  const parts = turn ? [moveSentence(turn)] : [];
  const over = outcome();
  if (over) parts.push(over.reason, over.result);
  else parts.push(`${NAMES[toMove]} to move.`);
  if (hints && known.probe?.value != null) parts.push(`Value ${signed(known.probe.value)}.`);
  return parts.join(" ");
}

/** Shows another position of the game. */
function goTo(ply) {
  if (!game || ply < 0 || ply >= game.positions.length || ply === state.ply) return;
  go({ ...state, ply }, { answer: true });
}

/** Plays a move in the current position. Later moves of the game are dropped, unless
 * it is the same move. */
function playLetter(played) {
  const { moves, ply } = state;
  if (moves[ply] === played) return go({ ...state, ply: ply + 1 }, { answer: true });
  const next = { ...state, moves: moves.slice(0, ply) + played, ply: ply + 1 };
  return go(next, { push: true, answer: true });
}

/** Plays this many moves of the best line. */
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
    board.shake(pit);
  } else if (!outcome() && owner(pit) !== toMove) {
    panel.showError(`It is ${NAMES[toMove]}'s turn.`);
    board.shake(pit);
  } else if (!(await playLetter(letter(pit)))) {
    board.shake(pit);
  }
}

function onStore(player, forced) {
  if (editor.active) edited(editor.store(player, forced));
}

function change(pit, forced) {
  if (editor.active) edited(editor.pit(pit, forced));
}

function edited(fits) {
  if (!fits) panel.showError(TEXT.editLimit);
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
    flash(element("share"), TEXT.copied);
  } catch {
    panel.showError(TEXT.copyFailed);
  }
}

/** Changes the text of a button for a moment. */
function flash(button, text) {
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

/** Fills the list of rulesets. */
async function listRulesets() {
  const names = (await api.rulesets()).map(({ name, highest }) => ({
    name,
    text: highest === null ? `${name} (no tables)` : `${name} (to ${highest} seeds)`,
  }));
  if (!names.some(({ name }) => name === state.rules)) names.push({ name: state.rules, text: state.rules });
  element("rules").replaceChildren(...names.map(({ name, text }) => new Option(text, name)));
  element("rules").value = state.rules;
}

/** Shows the first position; if the address is invalid, an error above a new game. */
async function start() {
  if (!(await go(state)) && !game) {
    const { textContent: sentence } = element("error");
    await go(states.fresh("awari"));
    panel.showError(sentence);
  }
  await listRulesets().catch((error) => panel.showError(error.message));
}

start();

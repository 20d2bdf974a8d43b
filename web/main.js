// The page. The address holds the state: every action changes the address, and the page
// shows what the address says. The server knows the rules and plays every game.

import * as card from "./analysis-card.js";
import * as api from "./api.js";
import { Board, letter, owner } from "./board.js";
import * as dialogs from "./dialogs.js";
import { Editor, notation } from "./editor.js";
import { EXAMPLES, randomEndgame } from "./examples.js";
import { Graph } from "./graph.js";
import * as keys from "./keys.js";
import { Knowledge } from "./knowledge.js";
import * as moveList from "./move-list.js";
import * as notice from "./notice.js";
import { Opponent } from "./opponent.js";
import { Review } from "./review.js";
import * as rulesets from "./rulesets.js";
import { change, settings } from "./settings.js";
import * as states from "./state.js";
import { announce, showStatus } from "./status-card.js";
import { LANGUAGES, errorSentence, speak, text, translate } from "./texts.js";
import { movesFromEngine, movesFromTables, outcomeVerdict, southLead, verdict } from "./verdict.js";

const element = (id) => document.getElementById(id);
/** The letters of the pits, from South's first. */
const LETTERS = "ABCDEFabcdef";
/** Number of moves to request for the best line. */
const LINE_PLIES = 14;
/** The best moves that the engine tells, and its time in milliseconds. */
const ANALYSIS = { lines: 3, movetime: 6000 };
/** Milliseconds to wait for values before showing a position without them. */
const SHOW_DELAY = 80;

let state = null;
/** The game of the state, from the server. */
let game = null;
/** The state on its way: the controller that cancels it, and a promise of its end. */
let arriving = null;
/** The moves that wait for the ones before them. */
let turns = Promise.resolve();
/** Cancels the questions about the position when another one is shown. */
let questions = new AbortController();
/** The questions that are still open. */
let open = { tables: false, engine: false, reply: false };
let frame = null;

const knowledge = new Knowledge();
const board = new Board(element("board"), onPlace);
const graph = new Graph(element("graph"), goTo);
const editor = new Editor(() => game && show(), refuseEdit);
const opponent = new Opponent(() => game && ask());
const review = new Review(knowledge, showLater);
const files = new dialogs.Files((next) => load(next, { push: true }));

const position = () => game.positions[state.ply];
const atEnd = () => state.ply === game.positions.length - 1;
const outcome = () => (atEnd() ? game.outcome : null);
const facts = () => ({ total: game.total, claimed: rulesets.claimsAll(state.rules) });
const shownEstimate = () => knowledge.estimate(state, state.ply);
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

// Going to another state

/** Goes to another state once the server has accepted the game. Returns whether it did;
 * `mend` is called with an error in place of showing it. */
function go(next, { push = false, mend = showFailure } = {}) {
  arriving?.controller.abort();
  const mine = { controller: new AbortController() };
  arriving = mine;
  mine.settled = arrive(next, push, mine.controller.signal).catch((error) => {
    if (mine.controller.signal.aborted) return true;
    if (game) {
      board.answer();
      rulesets.show(state.rules);
    }
    mend(error, () => go(next, { push, mend }));
    return false;
  }).finally(() => {
    if (arriving === mine) arriving = null;
  });
  return mine.settled;
}

async function arrive(next, push, signal) {
  const found = game && states.sameGame(next, state) ? game : await api.game(next, signal);
  signal.throwIfAborted();
  notice.hide();
  game = found;
  state = { ...next, start: game.start, ply: Math.min(next.ply, game.positions.length - 1) };
  states.write(state, { push });
  editor.end();
  review.keep(state);
  ask();
  return true;
}

/** Waits for the state on its way, if any. */
async function arrived() {
  while (arriving) await arriving.settled;
}

/** Shows an error, with a button to try again. */
function showFailure(error, again) {
  if (error.code === "no-connection") knowledge.clear();
  const temporary = ["no-connection", "busy", "timeout", "failed", "internal"].includes(error.code);
  notice.show(errorSentence(error), temporary ? { label: text.page.tryAgain, run: again } : {});
}

/** Goes to a state from an address, an example or a file. If it is not valid, its legal
 * beginning is shown, or else a new game. */
async function load(next, { push = false } = {}) {
  const mend = async (error, again) => {
    const { moves, ply } = error.details ?? {};
    const beginning = moves ?? (ply > 0 ? next.moves.slice(0, ply - 1) : undefined);
    if (error.code === "move" && beginning !== undefined && beginning !== next.moves) {
      await go({ ...next, moves: beginning, ply: beginning.length }, { push });
      notice.show(text.notice.shortened(error.message, beginning.length + 1));
    } else if (!game && error.code !== "no-connection") {
      const shown = await go(states.fresh("awari"));
      if (shown) showFailure(error, again);
    } else {
      showFailure(error, again);
    }
  };
  return go(next, { push, mend });
}

// Questions about the position

/** Asks for all that is not known about the position, and for the opponent's move. */
function ask() {
  questions.abort();
  questions = new AbortController();
  open = { tables: false, engine: false, reply: false };
  const { signal } = questions;
  askAll(signal).catch((error) => {
    if (signal.aborted) return;
    show();
    showFailure(error, ask);
  });
}

async function askAll(signal) {
  if (editor.active) return show();
  const tables = question("tables", askTables, signal);
  const replies = opponentsTurn() && atEnd();
  // The server searches for one question at a time.
  if (replies) review.stop();
  const other = replies ? question("reply", askReply, signal) : question("engine", askEngine, signal);
  // Values that arrive soon are shown at once, so that the page does not flicker.
  await Promise.race([tables.catch(() => {}), pause(SHOW_DELAY)]);
  if (signal.aborted) return undefined;
  show();
  await tables.catch(() => {});
  if (signal.aborted) return undefined;
  show();
  announce(summary());
  return Promise.all([tables, other]);
}

/** Asks a question, and notes that it is open. */
async function question(name, run, signal) {
  open[name] = true;
  try {
    return await run(signal);
  } finally {
    if (!signal.aborted) {
      open[name] = false;
      showLater();
    }
  }
}

/** Asks the tables for the moves and the best line. */
async function askTables(signal) {
  const { rules } = state;
  const { position: shown, value } = position();
  if (outcome() || value === null || knowledge.table(rules, shown)) return;
  const [probe, line] = await Promise.all([
    api.probe(rules, shown, signal),
    api.mainline(rules, shown, LINE_PLIES, signal),
  ]);
  signal.throwIfAborted();
  knowledge.addTable(rules, shown, { probe, line });
}

/** Asks the engine where the tables do not know the position. */
async function askEngine(signal) {
  const { ply } = state;
  const before = state;
  if (outcome() || !settings.hints || position().value !== null) return;
  if (review.running || shownEstimate()?.finished) return;
  const learn = (info, finished) => {
    const [best] = info.lines;
    if (signal.aborted || !best) return;
    const { net, exact, result } = best;
    knowledge.addEstimate(before, ply, { ...info, net, exact, result, finished });
    showLater();
  };
  const last = await api.analysis(states.upTo(state, ply), ANALYSIS, (info) => learn(info, false), signal);
  learn(last, true);
  announce(summary());
}

/** Asks the opponent, and plays its move. */
async function askReply(signal) {
  const played = await opponent.reply(states.upTo(state, state.ply), signal);
  // A click of the user comes first; if it was refused, the move still counts.
  await arrived();
  if (signal.aborted) return;
  open.reply = false;
  // The user's move and the reply are one step of the browser's history.
  play(played, { push: false });
}

/** Whether the opponent plays for the player to move. */
function opponentsTurn() {
  return !outcome() && opponent.moves(position().to_move);
}

// Showing the position

function showLater() {
  frame ??= requestAnimationFrame(() => {
    frame = null;
    if (game) show();
  });
}

/** The values to show: moves, or a note in their place, their source, and the best line. */
function values() {
  const nothing = (note) => ({ moves: [], note, source: "", line: [], end: "" });
  const shown = position();
  if (outcome()) return nothing(text.analysis.over);
  if (!settings.hints) return nothing(text.analysis.hidden);
  const table = knowledge.table(state.rules, shown.position);
  if (table) {
    const moves = movesFromTables(table.probe, shown);
    const source = moves.every((move) => move.exact) ? text.analysis.fromTables : text.analysis.tablesWithBounds;
    const line = table.line.line ?? [];
    return { moves, note: "", source, line, end: line.length > 0 ? text.analysis.end[table.line.end] : "" };
  }
  const estimate = shownEstimate();
  if (estimate && estimate.lines.length > 0) {
    const { depth, selective_depth: selective, exact, lines } = estimate;
    const line = [...lines[0].letters].map((one) => ({ letter: one, captured: 0 }));
    const source = exact ? text.analysis.exactSearch : text.analysis.depth(depth, selective);
    return { moves: movesFromEngine(estimate, shown), note: "", source, line, end: text.analysis.lineEstimate };
  }
  if (open.reply) return nothing(text.analysis.thinking);
  if (open.engine) return nothing(text.analysis.searching);
  return nothing(open.tables ? text.analysis.asking : text.analysis.noLine);
}

/** The verdict on the position. */
function currentVerdict() {
  const over = outcome();
  if (over) return outcomeVerdict(over, position(), game.total);
  const found = verdict(position(), shownEstimate(), facts());
  if (found) return found;
  if (open.engine) return { title: text.verdict.estimating };
  return { title: open.tables ? text.verdict.asking : text.verdict.unknown };
}

/** Whose turn it is, in a sentence. */
function turnSentence() {
  if (editor.active) return text.status.editing;
  if (outcome()) return text.status.over;
  const { to_move: player } = position();
  if (open.reply) return text.status.thinking(player);
  return opponentsTurn() ? text.status.waiting(player) : text.status.toMove(player);
}

/** The position to draw: the draft of the editor, or the current one. */
function drawn() {
  return editor.active ? { ...position(), ...editor.draft, turn: null } : position();
}

function show() {
  const over = Boolean(outcome());
  const known = values();
  board.show(drawn(), {
    legal: over ? "" : position().legal,
    values: new Map(known.moves.map((move) => [move.letter, move])),
    reasons: (pit) => illegalSentence(pit),
    over,
    editing: editor.active,
    source: editor.source,
  });
  editor.show();
  const found = currentVerdict();
  const turn = turnSentence();
  if (editor.active) showStatus("", { title: turn });
  else if (settings.hints || over) showStatus(turn, found);
  else showStatus("", { title: turn });
  card.showValues(editor.active ? { moves: [], note: "", source: "" } : known, position(), facts(), (one) => playPit(() => LETTERS.indexOf(one)));
  card.showLine(known, (index) => playLine(known.line.slice(0, index + 1)));
  card.showButtons(known.moves.length > 0, settings.hints);
  showGame();
  showControls();
  const title = settings.hints || over ? found.title : turn;
  document.title = text.title.position(state.rules, state.ply, title);
}

/** Shows the graph and the list of moves. */
function showGame() {
  const leads = game.positions.map((one, ply) => (settings.hints ? southLead(one, knowledge.estimate(state, ply)) : null));
  const reviewed = game.positions.slice(1).map((_, index) => (settings.hints ? knowledge.reviewedMove(state, index + 1) : undefined));
  const losses = game.positions.slice(1).map(({ turn }, index) => moveList.lossOf(turn, reviewed[index], leads[index], leads[index + 1]));
  graph.show(game, state.ply, leads, losses.map((loss) => loss?.mark ?? null));
  const unknown = leads.some((lead) => lead === null);
  element("graph-note").textContent = settings.hints ? (unknown ? text.graph.empty : "") : text.graph.hidden;
  const turning = reviewed.map((one) => Boolean(one?.turning));
  moveList.showGame(element("moves"), game, state.ply, losses, turning, goTo);
  review.show(state, game, settings.hints);
}

function showControls() {
  element("ply").textContent = `${state.ply} / ${game.positions.length - 1}`;
  rulesets.show(state.rules);
  const idle = {
    first: state.ply === 0,
    back: state.ply === 0,
    forward: atEnd(),
    last: atEnd(),
    undo: undoPly() === null,
  };
  for (const [id, value] of Object.entries(idle)) element(id).setAttribute("aria-disabled", String(value));
  element("flip").setAttribute("aria-pressed", String(settings.flipped));
}

/** The position in sentences, for screen readers. */
function summary() {
  const { turn } = position();
  const parts = turn ? [text.moves.sentence(turn)] : [];
  const found = currentVerdict();
  if (outcome()) parts.push(`${found.title}.`, ...found.details);
  else parts.push(`${turnSentence()}.`);
  if (!outcome() && settings.hints && found.kind) parts.push(`${found.title} (${text.verdict[found.kind]}).`);
  return parts.join(" ");
}

// Playing

/** Why a pit of the player to move may not be played, in a sentence. */
function illegalSentence(one) {
  const { illegal = {}, illegal_codes: codes = {} } = position();
  const known = {
    empty: "empty",
    "must-feed": "mustFeed",
    "cannot-feed": "cannotFeed",
    "grand-slam": "grandSlam",
    "grand-slam-banned": "grandSlamBanned",
  };
  return text.illegal[known[codes[one]] ?? "unknown"](one, illegal[one]);
}

/** Why a pit cannot be played: a sentence and an action. Null if it can. */
function refusal(pit) {
  const { to_move: player, legal } = position();
  if (outcome()) return [text.notice.gameOver, { label: text.page.newGame, run: actions.fresh }];
  if (open.reply) return [text.notice.thinking(player)];
  if (opponentsTurn()) return [text.notice.opponentsPit(player), { label: text.notice.letMove, run: letOpponentMove }];
  if (owner(pit) !== player) return [text.notice.notYourTurn(player)];
  return legal.includes(letter(pit)) ? null : [illegalSentence(letter(pit))];
}

/** Lets the opponent move here; later moves of the game are dropped. */
function letOpponentMove() {
  if (atEnd()) ask();
  else go({ ...state, moves: state.moves.slice(0, state.ply) }, { push: true });
}

/** Plays the pit that `choose` returns once the moves before it have been answered. */
function playPit(choose) {
  turns = turns.then(async () => {
    await arrived();
    const pit = choose();
    const [sentence, action] = refusal(pit) ?? [];
    if (sentence) {
      notice.show(sentence, action);
      board.shake(pit);
      return;
    }
    board.ask(pit);
    await play(letter(pit));
  }).catch((error) => showFailure(error));
}

/** Plays a move in the current position. Later moves of the game are dropped, unless it
 * is the same move. */
function play(played, { push = true } = {}) {
  const { moves, ply } = state;
  if (moves[ply] === played) return go({ ...state, ply: ply + 1 });
  return go({ ...state, moves: moves.slice(0, ply) + played, ply: ply + 1 }, { push });
}

/** Plays moves of the best line. */
function playLine(line) {
  if (open.reply) return notice.show(text.notice.thinking(position().to_move));
  const moves = state.moves.slice(0, state.ply) + line.map((move) => move.letter).join("");
  return go({ ...state, moves, ply: moves.length }, { push: true });
}

function playBest() {
  const best = game && !editor.active && values().moves.find((move) => move.best);
  if (best) playPit(() => LETTERS.indexOf(best.letter));
}

/** Shows another position of the game. */
function goTo(ply) {
  if (!game || editor.active || ply < 0 || ply >= game.positions.length || ply === state.ply) return;
  go({ ...state, ply });
}

/** The ply to go back to: before the last move, or before the user's last move. */
function undoPly() {
  for (let ply = game.positions.length - 2; ply >= 0; ply--) {
    if (!opponent.moves(game.positions[ply].to_move)) return ply;
  }
  return null;
}

/** Takes back the last move, and an opponent's reply with it. */
function undo() {
  if (!game) return;
  if (editor.active) {
    editor.undo();
    return;
  }
  const ply = undoPly();
  if (ply !== null) go({ ...state, moves: state.moves.slice(0, ply), ply }, { push: true });
}

async function newGame() {
  if (!game) return;
  const had = state.moves !== "";
  const begun = await go(states.fresh(state.rules), { push: true });
  if (begun && had) {
    notice.show(text.notice.newGame, { label: text.notice.backToGame, run: () => history.back(), calm: true });
  }
}

/** The same board under other rules. */
function changeRules() {
  if (!game) return;
  let start = outcome() ? state.start : position().position;
  if (editor.active) start = notation(editor.draft);
  go({ rules: element("rules").value, start, moves: "", ply: 0 }, { push: true });
}

// Editing

function onPlace(place, step) {
  if (!game) return;
  if (editor.active) editor.click(place, step);
  else if (step === 0 && typeof place === "number") playPit(() => place);
}

function refuseEdit(sentence, place) {
  notice.show(sentence);
  board.shake(place);
}

/** Starts editing, or ends it: the draft becomes the start of a new game, unless nothing
 * was changed. */
async function edit() {
  if (!game) return;
  if (!editor.active) {
    await arrived();
    questions.abort();
    open = { tables: false, engine: false, reply: false };
    notice.hide();
    editor.begin(position());
    return;
  }
  const start = editor.changed();
  if (start === null) discardEdit();
  else await go({ rules: state.rules, start, moves: "", ply: 0 }, { push: true });
}

function discardEdit() {
  editor.end();
  notice.hide();
  ask();
}

/** Takes over the notation of the field, once the server has read it. */
async function setNotation(event) {
  event.preventDefault();
  try {
    const read = await api.game({ rules: state.rules, start: element("notation").value, moves: "" });
    const [{ board: pits, stores, to_move: toMove }] = read.positions;
    notice.hide();
    if (editor.active) editor.edit({ board: pits, stores, to_move: toMove });
  } catch (error) {
    showFailure(error, () => setNotation(event));
  }
}

// Other actions

function showHints() {
  change({ hints: !settings.hints });
  if (game) ask();
}

function flip() {
  change({ flipped: !settings.flipped });
  board.turn(settings.flipped);
  if (game) show();
}

let copied = null;

async function share() {
  if (!(await dialogs.copy(location.href))) return dialogs.showLink();
  const button = element("share");
  button.textContent = text.page.copied;
  announce(text.page.copied);
  clearTimeout(copied);
  copied = setTimeout(() => { button.textContent = text.page.copyLink; }, 1500);
}

function startReview() {
  if (!game || game.positions.length < 2) return;
  if (review.running) review.stop();
  else {
    change({ hints: true });
    review.start(states.upTo(state)).then(
      () => announce(text.game.reviewed),
      (error) => error.name !== "AbortError" && showFailure(error, startReview),
    ).then(() => !review.running && ask());
  }
  ask();
}

const actions = {
  back: () => game && goTo(state.ply - 1),
  forward: () => game && goTo(state.ply + 1),
  first: () => goTo(0),
  last: () => game && goTo(game.positions.length - 1),
  best: playBest,
  hints: showHints,
  fresh: newGame,
  undo,
  flip,
  edit,
  help: dialogs.showHelp,
  escape: () => {
    if (notice.shown()) notice.hide();
    else if (editor.active) edit();
  },
  play: (pit) => {
    const own = (player) => (player === "south" ? 0 : 6) + pit;
    if (editor.active) editor.click(own(editor.draft.to_move), 0);
    else if (game) playPit(() => own(position().to_move));
  },
  change: (place, step) => {
    if (editor.active) editor.change(place in board.stores ? place : Number(place), step);
    return editor.active;
  },
  undoEdit: () => editor.undo(),
};

const clicks = {
  back: actions.back,
  forward: actions.forward,
  first: actions.first,
  last: actions.last,
  best: playBest,
  hints: showHints,
  edit,
  help: dialogs.showHelp,
  new: newGame,
  undo,
  flip,
  share,
  review: startReview,
  files: () => game && files.show(states.upTo(state)),
  "edit-done": edit,
  "edit-cancel": discardEdit,
  "welcome-help": dialogs.showHelp,
  "welcome-close": () => {
    change({ welcomed: true });
    element("welcome").hidden = true;
  },
};

function showExamples() {
  const made = Object.keys(EXAMPLES).concat("random").map((name) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.example = name;
    button.textContent = text.examples[name];
    button.title = text.examples[`${name}Title`];
    button.addEventListener("click", () => openExample(name));
    return button;
  });
  element("examples").replaceChildren(...made);
}

function openExample(name) {
  const rules = state?.rules ?? "awari";
  const next = name === "random" ? randomEndgame(rules, rulesets.highest(rules)) : EXAMPLES[name];
  load(next, { push: true });
}

/** Writes the texts that are not part of a position. */
function showTexts() {
  translate();
  document.title = text.page.title;
  showExamples();
  opponent.show();
  element("language").value = text.code;
  if (game) show();
}

function listen() {
  for (const [id, action] of Object.entries(clicks)) element(id).addEventListener("click", action);
  element("rules").addEventListener("change", changeRules);
  element("language").replaceChildren(...Object.values(LANGUAGES).map(({ code, name }) => Object.assign(new Option(code.toUpperCase(), code), { title: name })));
  element("language").addEventListener("change", () => {
    speak(element("language").value);
    showTexts();
  });
  element("editor").addEventListener("submit", setNotation);
  addEventListener("popstate", () => load(states.read() ?? EXAMPLES.trap));
  // A browser may keep a page that is left, with its requests. It asks again if it returns.
  addEventListener("pagehide", () => {
    questions.abort();
    review.stop();
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted && game) ask();
  });
  dialogs.listen();
  notice.listen();
  keys.listen(actions);
}

function loadRulesets() {
  rulesets.load().then(
    () => game && show(),
    (error) => !notice.shown() && showFailure(error, loadRulesets),
  );
}

function start() {
  listen();
  board.turn(settings.flipped);
  element("welcome").hidden = settings.welcomed;
  showTexts();
  load(states.read() ?? EXAMPLES.trap);
  loadRulesets();
}

start();

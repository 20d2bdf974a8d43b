// The page. The address holds the state: every action changes the address, and the page
// shows what the address says. What answers (`api.js`) knows the rules and plays every game.

import * as api from "./api.js";
import { Board, letter, owner } from "./board.js";
import * as dialogs from "./dialogs.js";
import { Editor, notation } from "./editor.js";
import { examples, firstExample, randomEndgame } from "./examples.js";
import { Graph } from "./graph.js";
import * as keys from "./keys.js";
import { Knowledge } from "./knowledge.js";
import * as notice from "./notice.js";
import { Opponent } from "./opponent.js";
import { Review } from "./review.js";
import * as rulesets from "./rulesets.js";
import { Session } from "./session.js";
import { change, settings } from "./settings.js";
import { SolverCard } from "./solver-card.js";
import * as states from "./state.js";
import { announce } from "./status-card.js";
import { LANGUAGES, errorSentence, speak, text, translate } from "./texts.js";
import { View } from "./view.js";
import * as views from "./views.js";

const element = (id) => document.getElementById(id);
/** The letters of the pits, from South's first. */
const LETTERS = "ABCDEFabcdef";
/** The errors after which the same request may succeed. */
const TEMPORARY = ["no-connection", "busy", "timeout", "failed", "internal"];
/** How long the button says that the link was copied, in milliseconds. */
const COPIED_TIME = 1500;

const knowledge = new Knowledge();
const board = new Board(element("board"), onPlace);
const graph = new Graph(element("graph"), goTo);
const editor = new Editor(show, refuseEdit);
const opponent = new Opponent(() => session.game && session.ask());
const review = new Review(knowledge, () => view.showLater());
const files = new dialogs.Files((next) => load(next, { push: true }));
const session = new Session({ knowledge, review, editor }, {
  show,
  announce: () => view.announce(),
  onLearn: () => view.showLater(),
  onFailure: showFailure,
  onArrive: () => {
    notice.hide();
    editor.end();
    showExamples();
    views.show(session.state);
  },
  onRefuse: () => {
    if (!session.game) return;
    board.answer();
    rulesets.show(session.state.rules);
  },
});
const view = new View(session, { board, graph, editor }, {
  onPly: goTo,
  onLetter: (one) => playPit(() => LETTERS.indexOf(one)),
  onLine: playLine,
});
const solverCard = new SolverCard(() => {
  const name = session.state?.rules ?? states.RULES;
  return { name, highest: rulesets.highest(name) };
}, learnTables);

function show() {
  if (session.game) view.show();
  solverCard.show();
}

/** The tables have changed, perhaps of one layer alone: what they say of the position is
 * asked for again. */
function learnTables(layer) {
  knowledge.forgetTables();
  loadRulesets();
  if (layer !== undefined && session.game && session.position().seeds !== layer) return;
  session.refresh().catch((error) => showFailure(error, learnTables));
}

/** Shows an error, with a button to try again. */
function showFailure(error, again) {
  // The server may come back with other tables.
  if (error.code === "no-connection") knowledge.forgetTables();
  const retry = again && TEMPORARY.includes(error.code);
  notice.show(errorSentence(error), retry ? { label: text.page.tryAgain, run: again } : {});
}

/** Goes to the state of the address. */
async function openAddress() {
  load(await views.open(states.read()));
}

/** The last state of each view, to which its door leads back. */
const left = {};

/** Goes to another view through its door. */
async function enter(view) {
  const { state } = session;
  if (!state || state.view === view) return;
  left[state.view] = state;
  const blank = { view, rules: state.rules, start: null, moves: "", ply: 0, query: {} };
  load(left[view] ?? await views.open(blank), { push: true });
}

/** Goes to a state from an address, an example or a file. */
function load(next, { push = false } = {}) {
  const explain = (error, legal) => notice.show(text.notice.shortened(error.message, legal + 1));
  return session.load(next, { push, explain });
}

// Playing

/** Why a pit cannot be played: a sentence and an action. Null if it can. */
function refusal(pit) {
  const { to_move: player, legal } = session.position();
  if (session.outcome()) return [text.notice.gameOver, { label: text.page.newGame, run: newGame }];
  if (session.open.reply) return [text.notice.thinking(player)];
  if (session.opponentsTurn()) return [text.notice.opponentsPit(player), { label: text.notice.letMove, run: letOpponentMove }];
  if (owner(pit) !== player) return [text.notice.notYourTurn(player)];
  return legal.includes(letter(pit)) ? null : [view.illegalSentence(letter(pit))];
}

/** Lets the opponent move here; later moves of the game are dropped. */
function letOpponentMove() {
  const { state } = session;
  if (session.atEnd()) session.ask();
  else session.go({ ...state, moves: state.moves.slice(0, state.ply) }, { push: true });
}

/** Plays the pit that `choose` returns, after the moves that were asked for before. */
function playPit(choose) {
  session.inTurn(async () => {
    const pit = choose();
    const [sentence, action] = refusal(pit) ?? [];
    if (sentence) {
      notice.show(sentence, action);
      board.shake(pit);
      return;
    }
    board.ask(pit);
    const { play } = views.current();
    await (play ? play(letter(pit)) : session.play(letter(pit)));
  });
}

/** Plays moves of the best line. */
function playLine(line) {
  const { state } = session;
  if (session.open.reply) {
    notice.show(text.notice.thinking(session.position().to_move));
    return;
  }
  const moves = state.moves.slice(0, state.ply) + line.map((move) => move.letter).join("");
  session.go({ ...state, moves, ply: moves.length }, { push: true });
}

function playBest() {
  const best = session.game && !editor.active && view.values().moves.find((move) => move.best);
  if (best) playPit(() => LETTERS.indexOf(best.letter));
}

/** Shows another position of the game. */
function goTo(ply) {
  const { state, game } = session;
  if (!game || editor.active || ply < 0 || ply >= game.positions.length || ply === state.ply) return;
  session.go({ ...state, ply });
}

/** Takes back the last move, and an opponent's reply with it; while editing, an edit. */
function undo() {
  if (!session.game || editor.undo() || editor.active) return;
  const ply = session.undoPly();
  if (ply !== null) session.go({ ...session.state, moves: session.state.moves.slice(0, ply), ply }, { push: true });
}

async function newGame() {
  if (!session.game) return;
  const had = session.state.moves !== "";
  const begun = await session.go(states.fresh(session.state.rules), { push: true });
  if (begun && had) {
    notice.show(text.notice.newGame, { label: text.notice.backToGame, run: () => history.back(), calm: true });
  }
}

/** The same board under other rules. */
function changeRules() {
  if (!session.game) return;
  let start = session.outcome() ? session.state.start : session.position().position;
  if (editor.active) start = notation(editor.draft);
  session.go({ rules: element("rules").value, start, moves: "", ply: 0 }, { push: true });
}

// Editing

function onPlace(place, step) {
  if (!session.game) return;
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
  if (!session.game) return;
  if (!editor.active) {
    await session.arrived();
    session.leave();
    notice.hide();
    editor.begin(session.position());
    return;
  }
  const start = editor.changed();
  if (start === null) discardEdit();
  else session.go({ rules: session.state.rules, start, moves: "", ply: 0 }, { push: true });
}

function discardEdit() {
  editor.end();
  notice.hide();
  session.ask();
}

/** Takes over the notation of the field, once the server has read it. */
async function setNotation() {
  const start = element("notation").value.trim();
  try {
    const read = await api.game({ rules: session.state.rules, start, moves: "" });
    const [{ board: pits, stores, to_move: toMove }] = read.positions;
    notice.hide();
    if (editor.active) editor.edit({ board: pits, stores, to_move: toMove });
  } catch (error) {
    showFailure(error, setNotation);
  }
}

// Other actions

function showHints() {
  change({ hints: !settings.hints });
  if (session.game) session.ask();
}

function flip() {
  change({ flipped: !settings.flipped });
  board.turn(settings.flipped);
  show();
}

let copied = null;

async function share() {
  if (!(await dialogs.copy(location.href))) {
    dialogs.showLink();
    return;
  }
  const button = element("share");
  button.textContent = text.page.copied;
  announce(text.page.copied);
  clearTimeout(copied);
  copied = setTimeout(() => { button.textContent = text.page.copyLink; }, COPIED_TIME);
}

/** Starts the review of the game, or stops it. */
function toggleReview() {
  if (!session.game || session.game.positions.length < 2) return;
  if (review.running) review.stop();
  else {
    change({ hints: true });
    review.start(states.upTo(session.state)).then(
      () => announce(text.game.reviewed),
      (error) => error.name !== "AbortError" && showFailure(error, toggleReview),
    ).then(() => !review.running && session.ask());
  }
  session.ask();
}

function openExample(name) {
  const rules = session.state?.rules ?? states.RULES;
  const next = name === "random" ? randomEndgame(rules, rulesets.highest(rules)) : examples(rules)[name];
  load(next, { push: true });
}

const actions = {
  back: () => session.game && goTo(session.state.ply - 1),
  forward: () => session.game && goTo(session.state.ply + 1),
  first: () => goTo(0),
  last: () => session.game && goTo(session.game.positions.length - 1),
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
    else if (session.game) playPit(() => own(session.position().to_move));
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
  review: toggleReview,
  files: () => session.game && files.show(states.upTo(session.state)),
  "edit-done": edit,
  "edit-cancel": discardEdit,
  "welcome-help": dialogs.showHelp,
  "welcome-close": () => {
    change({ welcomed: true });
    element("welcome").hidden = true;
  },
};

// Views

const firstGame = (state) => ({ ...state, ...firstExample(state.rules) });
const newGameOf = (state) => ({ ...state, ...states.fresh(state.rules) });
views.register("play", { open: newGameOf, opponent, hints: () => false });
views.register("analyse", { open: firstGame, opponent, hints: () => settings.hints });
views.register("puzzles", { open: newGameOf });
views.register("learn", { open: newGameOf });

// Starting

/** Shows the examples of the ruleset. */
function showExamples() {
  const rules = session.state?.rules ?? states.RULES;
  const list = element("examples");
  const shown = `${rules} ${text.code}`;
  if (list.dataset.shown === shown) return;
  list.dataset.shown = shown;
  list.replaceChildren(...[...Object.keys(examples(rules)), "random"].map((name) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.example = name;
    button.textContent = text.examples[name];
    button.title = text.examples[`${name}Title`];
    button.addEventListener("click", () => openExample(name));
    return button;
  }));
}

/** Writes the texts that are not part of a position. */
function showTexts() {
  translate();
  document.title = text.page.title;
  showExamples();
  opponent.show();
  element("language").value = text.code;
  show();
}

function listen() {
  for (const [id, action] of Object.entries(clicks)) element(id).addEventListener("click", action);
  element("rules").addEventListener("change", changeRules);
  const languages = Object.values(LANGUAGES).map(({ code, name }) => Object.assign(new Option(code.toUpperCase(), code), { title: name }));
  element("language").replaceChildren(...languages);
  element("language").addEventListener("change", () => {
    speak(element("language").value);
    showTexts();
  });
  element("editor").addEventListener("submit", (event) => {
    event.preventDefault();
    setNotation();
  });
  addEventListener("popstate", openAddress);
  for (const door of document.querySelectorAll("[data-door]")) {
    door.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      enter(door.dataset.door);
    });
  }
  // A browser may keep a page that is left, with its requests. It asks again if it returns.
  addEventListener("pagehide", () => {
    session.leave();
    review.stop();
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted && session.game) session.ask();
  });
  window.krou = { probe: api.probeBoard };
  dialogs.listen();
  notice.listen();
  keys.listen(actions);
}

function loadRulesets() {
  rulesets.load().then(show, (error) => !notice.shown() && showFailure(error, loadRulesets));
}

function start() {
  listen();
  board.turn(settings.flipped);
  element("welcome").hidden = settings.welcomed;
  showTexts();
  openAddress();
  loadRulesets();
}

start();

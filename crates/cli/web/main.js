// The page. The address holds the state: every action changes the address, and the page
// shows what the address says. What answers (`api.js`) knows the rules and plays every game.

import * as api from "./api.js";
import { Board } from "./board.js";
import * as dialogs from "./dialogs.js";
import { Editing } from "./editing.js";
import { Editor, notation } from "./editor.js";
import { examples, firstExample, randomEndgame } from "./examples.js";
import * as focus from "./focus.js";
import { Games } from "./games.js";
import { Graph } from "./graph.js";
import * as keys from "./keys.js";
import { Knowledge } from "./knowledge.js";
import { Learn } from "./learn.js";
import { Lesson } from "./lesson.js";
import { Moves } from "./moves.js";
import * as notice from "./notice.js";
import { Play } from "./play.js";
import { Puzzles } from "./puzzles.js";
import { Review } from "./review.js";
import * as rulesets from "./rulesets.js";
import { Session } from "./session.js";
import * as settingsDialog from "./settings-dialog.js";
import { change, settings } from "./settings.js";
import { SolverCard } from "./solver-card.js";
import { Sowing } from "./sowing.js";
import * as states from "./state.js";
import { announce } from "./status-card.js";
import { errorSentence, speak, text, translate } from "./texts.js";
import { trainerState } from "./trainer.js";
import { View } from "./view.js";
import * as views from "./views.js";

const element = (id) => document.getElementById(id);
/** The errors after which the same request may succeed. */
const TEMPORARY = ["no-connection", "no-puzzles", "busy", "timeout", "failed", "internal"];
/** How long the button says that the link was copied, in milliseconds. */
const COPIED_TIME = 1500;

const knowledge = new Knowledge();
const games = new Games();
const board = new Board(element("board"), { onPlace, onPoint: (pit) => view.preview(pit) });
// A move may end before the position arrives to which it leads.
const sowing = new Sowing(board, () => session.arriving || view.showLater());
const graph = new Graph(element("graph"), goTo);
const editor = new Editor(show, (sentence, place) => editing.refuse(sentence, place));
const review = new Review(knowledge, { onChange: () => view.showLater(), onMoment: (ply) => lesson.begin(ply) });
const files = new dialogs.Files(loadGame);
const session = new Session({ knowledge, review, editor }, {
  show,
  announce: () => view.announce(),
  onLearn: () => view.showLater(),
  onFailure: showFailure,
  onStep: (step) => sowing.start(step),
  onArrive: arrive,
  onRefuse: () => {
    if (!session.game) return;
    sowing.finish();
    board.answer();
    show();
  },
});
const lesson = new Lesson(session);
const play = new Play(session, board, sowing, { onReview: () => enter("analyse").then(toggleReview) });
const view = new View(session, { board, graph, editor, sowing, games, play }, {
  onPly: goTo,
  onLetter: (one) => moves.playLetter(one),
  onLine: (line) => moves.playLine(line),
  onExample: openExample,
  onPath: goAlong,
});
const moves = new Moves(session, { board, editor, view }, newGame);
const editing = new Editing(session, { board, editor, sowing }, showFailure);
const solverCard = new SolverCard(() => {
  const name = session.state?.rules ?? states.RULES;
  return { name, highest: rulesets.highest(name) };
}, learnTables);

function show() {
  if (session.game) view.show();
  solverCard.show();
}

/** Another state is shown. `step` is the move that leads to it, null if it is no single move. */
function arrive(step) {
  notice.hide();
  editor.end();
  views.show(session.state);
  if (["play", "analyse"].includes(session.state.view)) games.arrive(session.state, session.game);
  if (!step?.begun) sowing.start(step);
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

// Views

views.register("play", play);
views.register("analyse", {
  open: (state) => ({ ...state, ...firstExample(state.rules) }),
  arrive: (state) => {
    board.turn(settings.flipped);
    lesson.arrive(state);
  },
  hints: () => settings.hints && !lesson.asks,
  play: (one) => (lesson.asks ? lesson.play(one) : session.play(one)),
  show: () => lesson.show(),
});
views.register("puzzles", new Puzzles(session, board, sowing));
views.register("learn", new Learn(session, board, sowing));

/** The last state of each view, to which its door leads back. */
const left = {};

/** Goes to another view through its door. A game that is played can be analysed. */
async function enter(name) {
  const { state } = session;
  if (!state || state.view === name) return;
  left[state.view] = state;
  const blank = { view: name, rules: state.rules, start: null, moves: "", ply: 0, query: {} };
  const played = state.view === "play" && name === "analyse" && state.moves !== "";
  const next = played ? { ...state, view: name, query: {} } : left[name] ?? await views.open(blank);
  await load(next, { push: true });
}

/** Goes to the state of the address. */
async function openAddress() {
  load(await views.open(states.read()));
}

/** Goes to a state from an address, an example or a file. */
function load(next, { push = false } = {}) {
  const explain = (error, legal) => notice.show(text.notice.shortened(error.message, legal + 1));
  return session.load(next, { push, explain });
}

// Playing

/** A click on a place of the board; `step` is −1 for the secondary button, else 0. */
function onPlace(place, step) {
  if (!session.game) return;
  if (editor.active) editor.click(place, step);
  else if (step === 0 && typeof place === "number") moves.playPit(() => place);
}

/** Shows another position of the game. */
function goTo(ply) {
  const { state, game } = session;
  if (!game || editor.active || ply < 0 || ply >= game.positions.length || ply === state.ply) return;
  session.go({ ...state, ply });
}

/** Goes to the position after moves of the game or of a variation, and shows its line. */
function goAlong(path) {
  const { state } = session;
  if (state.moves.startsWith(path)) goTo(path.length);
  else showLine(path);
}

/** Shows the line through moves of the tree, at their last position. */
function showLine(path) {
  const moves = games.current.lineThrough(path);
  session.go({ ...session.state, moves, ply: path.length }, { push: true });
}

/** The moves up to the current position. */
function shownPath() {
  return session.state.moves.slice(0, session.state.ply);
}

/** Goes to the next variation of the move that led here. */
function goToNextVariation() {
  if (session.state?.view !== "analyse" || editor.active) return;
  const choices = games.current.choices(shownPath());
  if (choices.length > 1) goAlong(choices[(choices.indexOf(shownPath()) + 1) % choices.length]);
}

function promoteVariation() {
  games.change((tree) => tree.promote(shownPath()));
  show();
}

function removeVariation() {
  const before = games.change((tree) => tree.remove(shownPath()));
  if (before !== null) showLine(before);
}

/** Loads a game from a text, with its names, comments and variations. */
function loadGame(game) {
  games.begin(game);
  const { rules, start, moves } = game;
  load({ rules, start, moves, ply: moves.length }, { push: true });
}

/** Shows the game as text, with what a review of the line that is shown says. */
function showFiles() {
  const { state } = session;
  const tree = games.current;
  const shown = tree.path(state.moves);
  files.show(tree.written((node) => {
    const ply = shown.indexOf(node) + 1;
    return ply > 0 ? review.remarks(state, ply, node.remarks) : [];
  }));
}

/** Takes back the last move, and an opponent's reply with it; while editing, an edit. */
function undo() {
  if (session.game && !editor.undo() && !editor.active) session.undo();
}

async function newGame() {
  if (!session.game) return;
  if (session.state.view === "play") {
    play.setUp();
    return;
  }
  if (session.state.view !== "analyse") return;
  const had = session.state.moves !== "";
  games.begin(states.fresh(session.state.rules));
  const begun = await session.go(states.fresh(session.state.rules), { push: true });
  if (begun && had) {
    notice.show(text.notice.newGame, { label: text.notice.backToGame, run: () => history.back(), calm: true });
  }
}

/** Lets the user play the position that is shown. */
function playHere() {
  if (!session.game || session.outcome()) return;
  const { rules } = session.state;
  const start = session.position().position;
  load({ view: "play", rules, start, moves: "", ply: 0, query: {} }, { push: true });
}

/** The same board under other rules. */
function changeRules() {
  if (!session.game) return;
  let start = session.outcome() ? session.state.start : session.position().position;
  if (editor.active) start = notation(editor.draft);
  session.go({ rules: element("rules").value, start, moves: "", ply: 0 }, { push: true });
}

// Other actions

function showHints() {
  if (session.state?.view !== "analyse") return;
  change({ hints: !settings.hints });
  if (session.game) session.ask();
}

function flip() {
  if (session.state?.view !== "analyse") return;
  change({ flipped: !settings.flipped });
  board.turn(settings.flipped);
  show();
}

let copied = null;

async function share() {
  const { state } = session;
  const parameters = { ...state, query: { ...state.query, ...await review.linkQuery(state) } };
  const { href } = new URL(states.address(parameters), location.href);
  if (!(await dialogs.copy(href))) {
    dialogs.showLink(href);
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
  const game = name === "random" ? randomEndgame(rules, rulesets.highest(rules)) : examples(rules)[name];
  load({ ...game, view: "analyse" }, { push: true });
}

const actions = {
  back: () => session.game && goTo(session.state.ply - 1),
  forward: () => session.game && goTo(session.state.ply + 1),
  first: () => goTo(0),
  last: () => session.game && goTo(session.game.positions.length - 1),
  best: () => moves.playBest(),
  hints: showHints,
  fresh: newGame,
  undo,
  redo: () => session.game && session.redo(),
  variation: goToNextVariation,
  flip,
  edit: () => editing.toggle(),
  help: dialogs.showHelp,
  escape: () => {
    if (notice.shown()) notice.hide();
    else if (editor.active) editing.toggle();
  },
  play: (pit) => {
    const own = (player) => (player === "south" ? 0 : 6) + pit;
    if (editor.active) editor.click(own(editor.draft.to_move), 0);
    else if (session.game) moves.playPit(() => own(session.position().to_move));
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
  best: actions.best,
  hints: showHints,
  edit: actions.edit,
  help: dialogs.showHelp,
  settings: settingsDialog.showSettings,
  new: newGame,
  "play-here": playHere,
  undo,
  redo: actions.redo,
  flip,
  share,
  review: toggleReview,
  longer: () => session.thinkLonger(),
  pause: () => session.game && session.pause(),
  files: () => session.game && showFiles(),
  promote: promoteVariation,
  remove: removeVariation,
  train: () => load(trainerState(session.state.rules, session.position().position), { push: true }),
  "welcome-help": dialogs.showHelp,
  "welcome-close": () => {
    change({ welcomed: true });
    element("welcome").hidden = true;
  },
};

// Starting

/** Writes the texts that are not part of a position. */
function showTexts() {
  translate();
  document.title = text.page.title;
  show();
}

/** Says that an answer needs the engine, which is still being loaded. */
function tellWait(waits) {
  if (waits) notice.show(text.notice.engineLoads, { calm: true });
  else if (notice.shows(text.notice.engineLoads)) notice.hide();
}

function listen() {
  for (const [id, action] of Object.entries(clicks)) element(id).addEventListener("click", action);
  element("rules").addEventListener("change", changeRules);
  element("lines").value = settings.lines;
  element("lines").addEventListener("change", () => {
    change({ lines: Number(element("lines").value) });
    show();
  });
  for (const door of document.querySelectorAll("[data-door]")) {
    door.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      enter(door.dataset.door);
    });
  }
  addEventListener("popstate", openAddress);
  // A browser may keep a page that is left, with its requests. It asks again if it returns.
  addEventListener("pagehide", () => {
    session.leave();
    review.stop();
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted && session.game) session.ask();
  });
  window.krou = { probe: api.probeBoard };
  settingsDialog.listen((code) => {
    speak(code);
    showTexts();
  });
  dialogs.listen();
  notice.listen();
  focus.listen();
  api.watchEngine(tellWait);
  keys.listen(actions);
}

function loadRulesets() {
  rulesets.load().then(show, (error) => !notice.shown() && showFailure(error, loadRulesets));
}

function start() {
  listen();
  element("welcome").hidden = settings.welcomed;
  showTexts();
  openAddress();
  loadRulesets();
}

start();

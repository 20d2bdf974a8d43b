// The page. The address holds the state: every action changes the address, and the page
// shows what the address says. What answers (`api.js`) knows the rules and plays every game.

import * as api from "./api.js";
import { Board, LETTERS, letter, owner } from "./board.js";
import * as dialogs from "./dialogs.js";
import * as dragging from "./dragging.js";
import { Editor, notation } from "./editor.js";
import { examples, firstExample, randomEndgame } from "./examples.js";
import { Graph } from "./graph.js";
import * as keys from "./keys.js";
import { Knowledge } from "./knowledge.js";
import { Learn } from "./learn.js";
import { Lesson } from "./lesson.js";
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
import { Variations } from "./variations.js";
import { View } from "./view.js";
import * as views from "./views.js";

const element = (id) => document.getElementById(id);
/** The errors after which the same request may succeed. */
const TEMPORARY = ["no-connection", "busy", "timeout", "failed", "internal"];
/** How long the button says that the link was copied, in milliseconds. */
const COPIED_TIME = 1500;

const knowledge = new Knowledge();
const variations = new Variations();
const board = new Board(element("board"), { onPlace, onPoint: (pit) => view.preview(pit) });
const sowing = new Sowing(board, () => view.showLater());
const graph = new Graph(element("graph"), goTo);
const editor = new Editor(show, refuseEdit);
const review = new Review(knowledge, { onChange: () => view.showLater(), onMoment: (ply) => lesson.begin(ply) });
const files = new dialogs.Files((next) => load(next, { push: true }), (game) => review.notes(game));
const session = new Session({ knowledge, review, editor }, {
  show,
  announce: () => view.announce(),
  onLearn: () => view.showLater(),
  onFailure: showFailure,
  onArrive: arrive,
  onRefuse: () => {
    if (!session.game) return;
    board.answer();
    show();
  },
});
const lesson = new Lesson(session);
const play = new Play(session, board, sowing, { onReview: () => enter("analyse").then(toggleReview) });
const view = new View(session, { board, graph, editor, sowing, variations, play }, {
  onPly: goTo,
  onLetter: (one) => playPit(() => LETTERS.indexOf(one)),
  onLine: playLine,
  onExample: openExample,
  onVariation: (moves, ply) => session.go({ ...session.state, moves, ply }, { push: true }),
});
const solverCard = new SolverCard(() => {
  const name = session.state?.rules ?? states.RULES;
  return { name, highest: rulesets.highest(name) };
}, learnTables);

function show() {
  if (session.game) view.show();
  solverCard.show();
}

/** Another state is shown. `step` is the move that leads to it, or null. */
function arrive(step) {
  notice.hide();
  editor.end();
  views.show(session.state);
  variations.add(session.state);
  sowing.start(step);
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

/** Why a pit cannot be played: a sentence and an action. Null if it can. */
function refusal(pit) {
  const { to_move: player, legal, turn } = session.position();
  if (session.outcome()) return [text.notice.gameOver, { label: text.page.newGame, run: newGame }];
  if (session.open.reply) {
    // A second click on the pit that was just played means nothing.
    const again = turn?.letter === letter(pit);
    return again ? [""] : [text.notice.thinking(player)];
  }
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
    if (sentence === "") return;
    if (sentence) {
      notice.show(sentence, { ...action, slip: true });
      board.shake(pit);
      return;
    }
    board.ask(pit);
    const current = views.current();
    await (current.play ? current.play(letter(pit)) : session.play(letter(pit)));
  });
}

/** Plays moves of the best line. */
function playLine(line) {
  const { state } = session;
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

// Editing

function onPlace(place, step) {
  if (!session.game) return;
  if (editor.active) editor.click(place, step);
  else if (step === 0 && typeof place === "number") playPit(() => place);
}

function refuseEdit(sentence, place) {
  notice.show(sentence, { slip: true });
  board.shake(place);
}

/** Starts editing, or ends it: the draft becomes the start of a new game, unless nothing
 * was changed. */
async function edit() {
  if (!session.game || session.state.view !== "analyse") return;
  if (!editor.active) {
    await session.arrived();
    session.leave();
    sowing.finish();
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
  best: playBest,
  hints: showHints,
  fresh: newGame,
  undo,
  redo: () => session.game && session.redo(),
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
  files: () => session.game && files.show(states.upTo(session.state)),
  train: () => load(trainerState(session.state.rules, session.position().position), { push: true }),
  "edit-done": edit,
  "edit-cancel": discardEdit,
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

function listen() {
  for (const [id, action] of Object.entries(clicks)) element(id).addEventListener("click", action);
  element("rules").addEventListener("change", changeRules);
  element("lines").value = settings.lines;
  element("lines").addEventListener("change", () => {
    change({ lines: Number(element("lines").value) });
    show();
  });
  element("editor").addEventListener("submit", (event) => {
    event.preventDefault();
    setNotation();
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
  dragging.listen(board, (place) => editor.active && board.seedsAt(place) > 0, (from, to) => editor.drag(from, to));
  dialogs.listen();
  notice.listen();
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

// The actions of the page: all that a control, a key or a link can do, by name. An element names
// its action as `data-action`; an action is given the other data of the element, and the `value`
// of a field.

import { placeOf } from "./board.js";
import * as dialogs from "./dialogs.js";
import * as games from "./games.js";
import * as going from "./going.js";
import * as keptGames from "./kept-games.js";
import * as keyboard from "./keyboard.js";
import * as moves from "./moves.js";
import * as notice from "./notice.js";
import { dropQuestions } from "./questions.js";
import * as rulesets from "./rulesets.js";
import { drawChanges, position, state, undoPly, update } from "./state.js";
import * as views from "./views.js";

// The modules of these views are there when their controls are shown.
const analyse = () => views.find("analyse");
const editor = () => analyse().editor;
const learn = () => views.find("learn");
const play = () => views.find("play");
const puzzles = () => views.find("puzzles");
const room = () => play().room;

/** Analyses a game of another view. */
async function reviewGame(game) {
  await views.load("analyse");
  return analyse().reviewGame(game);
}

/** Saves a game of Play as a file. */
async function saveGame(game) {
  await views.load("analyse");
  return analyse().record.saveGame(game);
}

/** Whether a game with a friend is shown. */
const inRoom = () => Boolean(state.query.room);

/** What keys do in that view alone. */
const inAnalyse = (what) => (state.view === "analyse" ? analyse()[what]() : undefined);

export const actions = {
  // The board
  place({ place, step = 0 }) {
    if (state.editing) return editor().click(placeOf(place), step);
    const pit = placeOf(place);
    return state.game && step === 0 && typeof pit === "number" ? moves.playPit(() => pit) : undefined;
  },
  "own-pit": ({ pit }) => {
    const own = (player) => (player === "south" ? 0 : 6) + pit;
    if (state.editing) return editor().click(own(state.editing.draft.to_move), 0);
    return state.game ? moves.playPit(() => own(position().to_move)) : undefined;
  },
  skip: () => keyboard.enter(),
  point: ({ pit }) => update({ pointed: pit }),

  // Moves and positions
  back: () => going.goTo(state.ply - 1),
  forward: () => going.goTo(state.ply + 1),
  first: () => going.goTo(0),
  last: () => state.game && going.goTo(state.game.positions.length - 1),
  ply: ({ ply }) => going.goTo(Number(ply)),
  path: ({ path }) => analyse().goAlong(path),
  undo() {
    if (state.editing) return editor().undo();
    if (inRoom()) return room().act("takeback");
    return state.game && going.undo();
  },
  redo: () => state.game && !inRoom() && going.redo(),
  best: () => moves.playBest(),
  // A click on what is shown is not for a position that is about to be shown.
  letter: ({ letter, position: shown }) => shown === position().position && moves.playLetter(letter),
  line: ({ count, position: shown }) => shown === position().position && moves.playLine(Number(count)),
  "let-move": () => moves.letOpponentMove(),

  // Views and addresses
  door: ({ door }) => going.enter(door),
  address: () => going.openAddress(),
  "history-back": () => history.back(),
  arrive: () => going.arriveInView(),

  // Questions
  ask: () => going.ask(),
  // A browser may keep a page that is left, with its requests. It asks again if it returns.
  leave() {
    dropQuestions();
    analyse().review?.stop();
    play().leave?.();
  },
  // The clocks of a game stand while the page is hidden, and are kept: it may never come back.
  visibility: () => state.game && state.view === "play" && going.arriveInView(),
  return() {
    if (!state.game) return;
    going.ask();
    going.arriveInView();
  },
  longer: () => going.thinkLonger(),
  pause() {
    if (!state.game) return;
    update({ paused: !state.paused });
    going.ask();
  },
  "load-rulesets": () => rulesets.refresh(),
  "learn-tables": () => going.learnTables(),

  // Analysing
  hints: () => (state.view === "play" ? moves.askHint() : inAnalyse("toggleHints")),
  lines: ({ value }) => dialogs.set({ lines: Number(value) }),
  flip: () => inAnalyse("flip"),
  rules: ({ value }) => analyse().changeRules(value),
  example: ({ example }) => analyse().openExample(example),
  new() {
    if (state.view === "play") return play().setUp();
    return inAnalyse("newGame");
  },
  "play-here": () => analyse().playHere(),
  train: () => analyse().train(),
  share: () => analyse().share(),
  review: () => analyse().toggleReview(),
  variation: () => inAnalyse("goToNextVariation"),
  promote: () => games.promote(),
  remove: () => analyse().removeVariation(),
  moment: ({ ply }) => analyse().moment.begin(Number(ply)),
  "moment-show": () => analyse().moment.reveal(),
  "moment-next": () => analyse().moment.next(),
  "moment-close": () => analyse().moment.close(),
  solve: () => analyse().solver.toggle(),
  "solver-remove": ({ rules }) => analyse().solver.remove(rules),

  // Editing
  edit: () => state.view === "analyse" && editor().toggle(),
  "edit-cancel": () => editor().discard(),
  "edit-notation": () => editor().setNotation(),
  "edit-undo": () => editor().undo(),
  "edit-turn": () => editor().changeTurn(),
  "edit-empty": () => editor().empty(),
  "edit-rest": () => editor().fillStores(),
  tool: ({ value }) => editor().chooseTool(value),
  add: ({ place, step }) => editor().addTo(placeOf(place), step),

  // Playing
  opponent: ({ value }) => dialogs.set({ opponent: value }),
  side: ({ value }) => dialogs.set({ side: value }),
  "play-rules": ({ value }) => play().changeRules(value),
  clock: ({ value }) => dialogs.set({ clock: value }),
  start: () => play().startChosen(),
  friend: () => play().startWithFriend(),
  mail: () => dialogs.copyLink(location.href, "mail"),
  "room-link": () => room().copy(),
  "room-sit": () => room().sit(),
  "room-accept": () => room().act("accept"),
  "room-decline": () => room().act("decline"),
  challenge: ({ button }) => play().challenge(button),
  rematch: () => play().rematch(),
  stronger: () => play().playStronger(),
  swap: () => play().swapSides(),
  again: () => play().setUp(),
  resign: () => play().resign(),
  agree: () => play().agree(),
  "go-on": () => play().goOn(),
  hint: () => moves.askHint(),
  "review-result": () => reviewGame(state),

  // Kept games
  "kept-open": ({ game }) => play().openKept(game),
  "kept-review": ({ game }) => reviewGame(keptGames.find(game)),
  "kept-export": ({ game }) => saveGame(keptGames.find(game)),
  "kept-delete": ({ game }) => play().deleteKept(game),
  "kept-restore": ({ game }) => {
    keptGames.put(game);
    notice.hide();
  },

  // Puzzles and the trainer
  "puzzle-again": () => puzzles().tryAgain(),
  "puzzle-show": () => puzzles().showSolution(),
  "puzzle-next": () => puzzles().next(),
  "puzzle-analyse": () => puzzles().analyse(),
  "puzzle-link": () => dialogs.copyLink(location.href, "puzzle-link"),
  "puzzle-line": ({ ply }) => puzzles().goAlong(Number(ply)),
  "puzzle-day": ({ day }) => day && puzzles().goToDay(day),
  "puzzle-rules": ({ value }) => puzzles().changeRules(value),
  "puzzle-theme": ({ value }) => puzzles().choose({ theme: value }),
  "puzzle-grade": ({ value }) => puzzles().choose({ grade: value }),
  rush: () => puzzles().beginRush(),
  "rush-stop": () => puzzles().rush.stop(),
  "rush-close": () => puzzles().rush.close(),
  "puzzle-train": () => puzzles().train(),
  "trainer-back": () => undoPly() !== null && going.takeBackTo(undoPly()),
  "trainer-again": () => going.takeBackTo(0),
  "trainer-another": () => puzzles().trainAnother(),
  "trainer-analyse": () => going.go({ view: "analyse", query: {} }, { push: true }),
  "trainer-puzzles": () => puzzles().leaveTrainer(),

  // Lessons
  lesson: ({ lesson }) => learn().goTo({ lesson }),
  "learn-next": () => learn().next(),
  "learn-show": () => learn().showMove(),
  "learn-rules": ({ value }) => learn().goTo({ rules: value }),

  // Messages, dialogs and settings
  escape() {
    if (state.notice) return notice.hide();
    return state.editing ? editor().toggle() : undefined;
  },
  "notice-close": () => notice.hide(),
  "notice-action"() {
    const { call } = state.notice;
    notice.hide();
    return call && act(...call);
  },
  help: () => dialogs.showHelp(),
  settings: () => dialogs.showSettings(),
  language: ({ value }) => dialogs.setLanguage(value),
  speed: ({ value }) => dialogs.set({ speed: value }),
  preview: ({ value }) => dialogs.set({ preview: value }),
  sound: ({ value }) => dialogs.set({ sound: value }),
  "letter-keys": ({ value }) => dialogs.set({ letterKeys: value }),
  "welcome-close": () => dialogs.set({ welcomed: true }),
  files: () => analyse().record.show(),
  "ogn-load": () => analyse().record.loadText(),
  "ogn-open": () => analyse().record.chooseFile(),
  "ogn-file": () => analyse().record.openFile(),
  "ogn-download": () => analyse().record.download(),
  "ogn-copy": () => analyse().record.copyText(),
};

/** Does an action, and shows the change at once. An error is told; where the same action may
 * succeed later, the user can try again. */
export async function act(name, given = {}) {
  try {
    const done = actions[name](given);
    drawChanges();
    await done;
  } catch (error) {
    notice.tellError(error, [name, given]);
  }
}

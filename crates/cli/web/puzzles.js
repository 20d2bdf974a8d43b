// The view of the puzzles: which puzzle the address names, the moves of the player, and the
// hardest defence against them. The cards are in `puzzles-card.js`; `puzzles-rush.js` has the
// puzzles against the clock.
//
// The `puzzle` of the state has how the address `named` it, and what was said about it: see
// `begin`.

import { fresh } from "./address.js";
import * as api from "./api.js";
import { ask, go, play as playOn, takeBackTo } from "./going.js";
import * as notice from "./notice.js";
import { noteSolved, noteTry } from "./progress.js";
import * as card from "./puzzles-card.js";
import { after } from "./puzzles-choice.js";
import { judge } from "./puzzles-judge.js";
import * as rush from "./puzzles-rush.js";
import * as sets from "./puzzles-sets.js";
import { highest } from "./rulesets.js";
import { position, state, until, update } from "./state.js";
import { text } from "./texts.js";
import * as trainer from "./trainer.js";

/** The shortest time before the opponent's move appears, in milliseconds. */
const PAUSE = 700;
/** The plies of a line to show. */
const LINE_PLIES = 12;

/** A puzzle that was not tried yet. */
function begin(named) {
  return {
    /** The puzzle, its set and how the address names it. */
    named,
    /** What the moves have come to. */
    judged: null,
    /** The moves with best play after them. */
    line: "",
    /** Whether a wrong move was played, or the solution was shown. */
    missed: false,
    /** Whether the values are shown. */
    revealed: false,
    /** Whether the player has played a move; a link may have moves, too. */
    tried: false,
    /** What the first try has changed the rating by, or null before. */
    gain: null,
  };
}

function change(changes) {
  update({ puzzle: { ...state.puzzle ?? begin(null), ...changes } });
}

// Which puzzle

/** The address of the puzzle that is named by a day, or by a place in a set. */
export async function open({ rules: wanted, query }) {
  const rules = sets.RULES.includes(wanted) ? wanted : sets.RULES[0];
  try {
    const found = find(await sets.load(rules), query);
    return { view: "puzzles", rules, start: found.puzzle.start, moves: "", ply: 0, query: found.query };
  } catch {
    // The view asks for it again when it is shown, and tells the error.
    return { view: "puzzles", ...fresh(rules), query };
  }
}

/** The puzzle of a query in a set, with its place. */
function find(set, { day, theme, grade, n }) {
  if (theme === undefined && grade === undefined && n === undefined) {
    const valid = day !== undefined && sets.isDay(day) ? day : sets.today();
    return { set, puzzle: sets.ofDay(set, valid), day: valid, query: { day: valid } };
  }
  const chosen = sets.choose(set, { theme, grade });
  const puzzles = chosen.length > 0 ? chosen : set;
  const number = Math.min(Math.max(Math.trunc(Number(n)) || 1, 1), puzzles.length);
  const query = chosen.length > 0 ? { theme: theme ?? "", grade: grade ?? "" } : {};
  const named = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""));
  return { set, puzzle: puzzles[number - 1], puzzles, number, theme, grade, query: { ...named, n: String(number) } };
}

/** Goes to the puzzle of a query. */
async function goTo(query, rules = state.rules) {
  return go(await open({ rules, query }), { push: true });
}

/** Another position is shown: its moves are judged, or the puzzle that it names is opened. */
export async function arrive() {
  if (trainer.trains()) return;
  const { visit, rules, query } = state;
  change({ judged: null });
  const known = sets.RULES.includes(rules);
  const named = known ? find(await sets.load(rules), query) : null;
  if (visit !== state.visit) return;
  if (named?.puzzle.start !== state.start) {
    const shown = await go(await open(state));
    if (shown && !known) notice.tell(text.puzzles.otherRules(sets.RULES[0]), { calm: true });
    return;
  }
  const isNew = state.puzzle.named?.puzzle !== named.puzzle;
  update({ puzzle: isNew ? begin(named) : { ...state.puzzle, named } });
  await judgeHere();
}

// The moves

async function judgeHere() {
  const { visit, game, ply, puzzle: { named, tried } } = state;
  const judged = await judge(named.puzzle, game, ply);
  if (visit !== state.visit) return;
  change({ judged, missed: state.puzzle.missed || judged.phase === "wrong" });
  if (state.rush) {
    if (rush.runs() && ply > 0) await rush.count(judged.phase !== "wrong");
    return;
  }
  if (tried && judged.phase === "wrong") rate(false);
  if (judged.phase === "solved" && !state.puzzle.revealed) {
    if (tried) {
      rate(!state.puzzle.missed);
      noteSolved(named.puzzle, state.puzzle.missed ? "later" : "first", named.day);
    }
    change({ revealed: true });
    // The values at the pits.
    ask();
  }
  const line = await lineHere();
  if (visit === state.visit) change({ line });
}

/** Notes how the first try of a puzzle ended. */
function rate(isSolved) {
  if (state.puzzle.gain === null) change({ gain: noteTry(state.puzzle.named.puzzle, isSolved) });
}

/** The line of a puzzle as far as the game goes: the stores may decide it before. */
async function wholeLine({ rules, start, line }) {
  try {
    return (await api.game({ rules, start, moves: line })).moves;
  } catch (error) {
    if (error.code !== "move") throw error;
    return error.details.moves;
  }
}

/** The best play after the moves: from the file as far as they follow it. */
async function lineHere() {
  const { puzzle: { named: { puzzle }, line }, game, ply } = state;
  const played = game.moves.slice(0, ply);
  if (puzzle.line.startsWith(played)) return wholeLine(puzzle);
  if (line.startsWith(played) && line.length > played.length) return line;
  const { position: board, value } = game.positions[ply];
  const after = value === null ? "" : (await api.mainline(puzzle.rules, board, LINE_PLIES)).letters;
  return played + (after ?? "");
}

/** Plays a move of the player. */
export function play(letter) {
  const { judged, revealed } = state.puzzle ?? begin(null);
  if (state.rush && (state.rush.over || state.rush.counted)) {
    update({ asked: null, step: null });
    return undefined;
  }
  if (!trainer.trains() && judged?.phase === "wrong" && !revealed) {
    update({ asked: null, step: null });
    notice.tell(text.puzzles.finished, { label: text.puzzles.again, call: ["puzzle-again"], calm: true });
    return undefined;
  }
  change({ tried: true });
  return playOn(letter);
}

// The view

export const northBelow = () => trainer.player() === "north";

/** Whether values are shown: after the solution. */
export const hints = () => !trainer.trains() && (state.puzzle?.revealed ?? false);

export function opponentOf(player) {
  return player !== trainer.player() && (trainer.trains() || !state.puzzle?.revealed);
}

/** The opponent's move: the best one, by the file or by the tables. */
export async function reply(game, signal) {
  const pause = new Promise((resolve) => setTimeout(resolve, PAUSE));
  const line = trainer.trains() ? "" : state.puzzle?.named?.puzzle.line ?? "";
  const next = line.startsWith(game.moves) ? line[game.moves.length] : undefined;
  const letter = next ?? await bestReply(game, signal);
  await pause;
  await until(() => !state.moving);
  signal.throwIfAborted();
  return letter;
}

/** The best move of the tables, or else of the engine. */
async function bestReply(game, signal) {
  const { position: board, value } = position();
  if (value !== null) return (await api.probe(game.rules, board, signal)).moves[0].letter;
  return (await api.reply(game, { opponent: "perfect" }, signal)).letter;
}

/** Shows the cards. */
export function show() {
  card.choose(trainer.trains(), state.rush !== null);
  if (trainer.trains()) trainer.show();
  else if (state.rush) rush.show();
  else if (state.puzzle?.named) card.show();
}

// What the buttons do

/** Goes back to the position before the wrong move, or to the first one. */
export function tryAgain() {
  const { judged, revealed } = state.puzzle;
  const ply = judged?.phase === "wrong" && !revealed ? judged.at : 0;
  change({ revealed: false });
  return takeBackTo(ply);
}

/** Plays the right move, and shows the values and the line. */
export async function showSolution() {
  const { puzzle: { judged, named }, visit } = state;
  if (!judged?.right) return undefined;
  rate(false);
  change({ missed: true, revealed: true });
  const played = state.moves.slice(0, judged.at) + judged.right.letter;
  const line = await wholeLine(named.puzzle);
  if (visit !== state.visit || state.arriving) return undefined;
  return go({ moves: line.startsWith(played) ? line : played, ply: judged.at + 1 }, { push: true });
}

/** Shows a position of the line. */
export function goAlong(ply) {
  change({ revealed: true });
  return go({ moves: state.puzzle.line, ply });
}

export const goToDay = (day) => goTo({ day });

/** Goes to the puzzle under other rules that is named like this one. */
export const changeRules = (rules) => goTo(state.puzzle?.named?.query ?? {}, rules);

/** Goes to a puzzle of another theme or grade. */
export function choose(choice) {
  const { set, theme = "", grade = "" } = state.puzzle.named;
  return goToNext(set, { theme, grade, ...choice });
}

/** Goes to the next puzzle of the theme and the grade; after a puzzle of the day, of the whole
 * set. */
export function next() {
  const { set, theme = "", grade = "" } = state.puzzle.named;
  return goToNext(set, { theme, grade });
}

function goToNext(set, choice) {
  const chosen = sets.choose(set, choice);
  const puzzles = chosen.length > 0 ? chosen : set;
  const one = after(state.puzzle.named.puzzle, puzzles);
  return goTo({ ...choice, n: puzzles.indexOf(one) + 1 });
}

export { rush };

/** Begins a rush with the set of the rules. */
export const beginRush = async () => rush.begin(await sets.load(state.rules));

export function analyse() {
  return go({ view: "analyse", moves: "", ply: 0, query: {} }, { push: true });
}

/** Leaves the trainer for the puzzle that was shown before. */
export const leaveTrainer = () => goTo(state.puzzle?.named?.query ?? {});

export const train = () => go(trainer.trainerAddress(state.rules, state.start), { push: true });

/** Trains another endgame of the set: one that is won for certain, and that the
 * tables reach. */
export async function trainAnother() {
  const rules = sets.RULES.includes(state.rules) ? state.rules : sets.RULES[0];
  const set = await sets.load(rules);
  const most = highest(rules) ?? 0;
  const won = set.filter(({ values, solution, seeds, theme }) => (
    values[solution] > 0 && seeds <= most && theme !== "loop-trap"));
  const { start } = won[Math.floor(Math.random() * won.length)];
  return go(trainer.trainerAddress(rules, start), { push: true });
}

// The questions about the position that is shown: what the tables and the engine say of it.
// Answers go to what the page has learnt. One set of questions is open at a time; the next one
// cancels it.

import * as api from "./api.js";
import { upTo } from "./address.js";
import { estimate, needsEngine, outcome, position, PROGRESS_DELAY, state, update } from "./state.js";

/** Number of moves to request for the best line. */
const LINE_PLIES = 12;
/** The moves that the engine tells: all. */
const ALL_MOVES = 6;
/** How long the engine searches, at first and each time when it is asked to think longer, in
 * milliseconds. */
const THINKING = 5000;
const LONGER = 10_000;
/** The depth at which the answers end a search. */
const MAX_DEPTH = 60;
/** How long values are waited for before a position is shown without them, in milliseconds. */
export const SHOW_DELAY = 80;

let questions = new AbortController();

/** Drops the open questions. */
export function dropQuestions() {
  questions.abort();
  update({ waiting: {} }, SHOW_DELAY);
}

/** Drops the open questions for new ones, which the returned signal cancels. */
export function newQuestions() {
  dropQuestions();
  questions = new AbortController();
  return questions.signal;
}

/** The signal of the open questions. */
export const openQuestions = () => questions.signal;

/** Asks a question, and notes that it is open. */
export async function question(name, asked, signal) {
  update({ waiting: { ...state.waiting, [name]: true } }, SHOW_DELAY);
  try {
    return await asked;
  } finally {
    if (!signal.aborted) update({ waiting: { ...state.waiting, [name]: false } });
  }
}

/** Learns all that is known about the last position of a game. */
export async function learn(game, signal) {
  const answer = await api.position(game, LINE_PLIES, signal);
  signal?.throwIfAborted();
  state.knowledge.addPosition(game.rules, answer.position.position, answer);
  return answer;
}

/** Whether the moves of the position and its best line are known, or there is none. */
export function isKnown() {
  return Boolean(outcome() ?? state.knowledge.position(state.rules, position().position));
}

/** Asks for the moves and the best line, if they did not come with the position. */
export async function askTables(signal) {
  if (!isKnown()) await question("position", learn(upTo(state, state.ply), signal), signal);
}

/** Asks the engine, where the tables do not know the position and unless it rests. Returns
 * whether it did. */
export async function askEngine(signal, time = THINKING) {
  if (!needsEngine() || state.paused || state.reviewing || estimate()?.searched >= time) return false;
  const { knowledge, ply } = state;
  const game = upTo(state, ply);
  const tell = (info, searched) => {
    const [best] = info.lines;
    if (signal.aborted || !best) return;
    const { net, exact, result } = best;
    knowledge.addEstimate(game, ply, { ...info, net, exact, result, searched });
    update({}, PROGRESS_DELAY);
  };
  const asked = api.analysis(game, { lines: ALL_MOVES, movetime: Math.min(time, LONGER) }, (info) => tell(info, 0), signal);
  tell(await question("engine", asked, signal), time);
  return true;
}

/** Whether a longer search can find more. */
function hasMore() {
  const found = estimate();
  return Boolean(found) && !found.exact && found.depth < MAX_DEPTH;
}

/** Lets the engine search on and on, until it is paused or another position is shown. */
export async function thinkOn(signal) {
  let time = (estimate()?.searched ?? 0) + LONGER;
  while (hasMore() && await askEngine(signal, time)) time += LONGER;
}

/** Whether the engine can be asked to search on. */
export const canThinkLonger = () => !state.waiting.engine && hasMore();

// The state of the page: one object, changed by `update` alone, and what follows from it. All
// that is shown is drawn from it.
//
// What is asked belongs to the position that is shown. Each position has a number, the `visit`:
// an answer that comes when another one is shown is dropped.

import { RULES, sameGame, upTo } from "./address.js";
import { Knowledge } from "./knowledge.js";
import * as views from "./views.js";

export const state = {
  // What the address says: see `address.js`.
  view: null,
  rules: RULES,
  start: null,
  moves: "",
  ply: 0,
  query: {},
  /** The game, from the answers: its positions and its outcome. Null before the first. */
  game: null,
  /** The addresses at which other views were left, by view. */
  left: {},
  /** Counts the positions that were shown. */
  visit: 0,
  /** All that has been learnt about positions and games. It changes in place. */
  knowledge: new Knowledge(),
  /** The current game with its variations. It changes in place. */
  tree: null,
  /** The rulesets of the answers. */
  rulesets: [],
  /** The games of Play, the last one first: see `kept-games.js`. */
  kept: [],

  // What is being asked
  /** The position on its way: the controller that cancels it, and whether its move has `begun`
   * to be shown. */
  arriving: null,
  /** The questions about the position that are open: `position`, `engine` and `reply`. */
  waiting: {},
  /** The review that is being made: its game, how many positions are `done`, and a controller. */
  reviewing: null,
  /** The message above the page: see `notice.js`. */
  notice: null,
  /** What screen readers are told: an object with a `sentence`. */
  announced: null,

  // What the user does
  /** The pit whose move waits for its answer, and the pit that is pointed to. */
  asked: null,
  pointed: null,
  /** The move that leads to the position: the position `from` which it goes, its `events`, and
   * whether it goes `back`. Null if there is none to show. */
  step: null,
  /** Whether seeds are on their way. */
  moving: false,
  /** Whether the engine rests. */
  paused: false,
  /** The game before moves were taken back, and its lengths then. */
  undone: null,
  /** The board that is being edited: see `editor.js`. */
  editing: null,
  /** The button that says for a moment that a link was copied. */
  copied: null,
  /** The game of the dialog with its text: its rules, and an error as a sentence. */
  record: null,

  // The views
  /** The puzzle: see `puzzles.js`. */
  puzzle: null,
  /** The puzzles against the clock: see `puzzles-rush.js`. */
  rush: null,
  /** The lessons of a ruleset, and the one that is shown. */
  learn: null,
  /** The key moment for which a better move is to be found: see `moment.js`. */
  moment: null,
  /** The solver of the page: see `solver.js`. */
  solver: null,
  /** What is known of a web host of tables: its name as `host`, what was `fetched`, and why it
   * `failed`. */
  host: null,
  /** The clocks of a game of Play, and a hint: see `clock.js` and `moves.js`. */
  clock: null,
  hint: null,
  /** The room of a game with a friend: see `room.js`. */
  room: null,
};

/** How long the progress of a search or a build may wait to be drawn, in milliseconds. */
export const PROGRESS_DELAY = 20;

let draw = () => {};
let drawing = false;
/** The drawing to come: its timer, and how long it waits. */
let timer = null;
let wait = Infinity;
const waiters = [];

/** Says what draws the state. */
export function drawWith(drawer) {
  draw = drawer;
}

/** Draws the state now if it has changed, for what cannot wait. */
export function drawChanges() {
  if (timer === null) return;
  clearTimeout(timer);
  timer = null;
  wait = Infinity;
  drawing = true;
  try {
    draw();
  } finally {
    drawing = false;
  }
}

/** Changes the state, which is drawn once what runs now has ended. With a `delay` in
 * milliseconds the drawing may wait so long for another change. */
export function update(changes = {}, delay = 0) {
  Object.assign(state, changes);
  for (const wake of waiters.splice(0)) wake();
  if (drawing || delay >= wait) return;
  clearTimeout(timer);
  timer = setTimeout(drawChanges, delay);
  wait = delay;
}

/** Waits until something holds of the state. */
export async function until(holds) {
  while (!holds()) await new Promise((resolve) => waiters.push(resolve));
}

// What follows from the state

/** The view that is shown. */
export const view = () => views.find(state.view);

export const position = () => state.game.positions[state.ply];

export const atEnd = () => state.ply === state.game.positions.length - 1;

/** How the game ended that is shown to its end; null while it goes on. */
export function outcome() {
  if (!atEnd()) return null;
  return view().outcomeOf ? view().outcomeOf(state.game) : state.game.outcome;
}

/** The moves up to the position. */
export const shownMoves = () => state.moves.slice(0, state.ply);

/** The estimate of the position, or undefined. */
export const estimate = () => state.knowledge.estimate(state, state.ply);

/** Whether values and verdicts are shown. */
export const hints = () => view().hints?.() ?? false;

/** Whether the opponent plays for the player to move. */
export function opponentsTurn() {
  return !outcome() && opponentOf(position().to_move);
}

function opponentOf(player) {
  return view().opponentOf?.(player) ?? false;
}

/** Whether the engine estimates the position. */
export function needsEngine() {
  return !outcome() && hints() && position().value === null;
}

/** The ply to go back to by `undo`: before the last move, or before the user's last move.
 * Null if there is none. */
export function undoPly() {
  for (let ply = state.game.positions.length - 2; ply >= 0; ply--) {
    if (!opponentOf(state.game.positions[ply].to_move)) return ply;
  }
  return null;
}

/** The length of the game after `redo`; null if nothing was taken back from it. */
export function redoPly() {
  const { undone, moves } = state;
  if (!undone || !sameGame(state, upTo(undone, moves.length))) return null;
  const lengths = undone.lengths.filter((length) => length > moves.length);
  return lengths.length > 0 ? Math.min(...lengths) : null;
}

// The views of the page: what all of them have in common. The address names one; each shows
// its own sections of the page.
//
// A view is a module, which comes when it is first shown. It exports some of these functions of the state:
//   open(next)         the address to show for one that names no game, or a promise of it
//   arrive()           another position is shown in this view; may ask for more
//   northBelow()       whether North's row is below
//   outcomeOf(game)    how the game ended in its own way; null while it goes on
//   hints()            whether values and verdicts are shown; false without it
//   opponentOf(player) whether an opponent plays for this player
//   reply(game, signal) promises the letter of the opponent's move
//   play(letter)       plays a move of the user in its own way
//   told(over)         whose turn it is, or the result, from the side of the user; or null
//   hinted()           the letter of a move that is hinted at, or null
//   show()             shows the sections of this view
//   listen()           listens to events of its own, once it has come

import { KrouError } from "./library/error.js";

/** The views in the order of their doors. The one named `analyse` needs no name in the address
 * of a game. */
export const NAMES = document.documentElement.dataset.doors.split(" ");
export const DEFAULT = "analyse";

const views = {};
const loaders = {};

/** Says how to load the views, by name. */
export function register(later) {
  Object.assign(loaders, later);
}

/** Loads the module of a view, unless it is there. */
export async function load(name) {
  if (views[name] || !loaders[name]) return;
  const found = await loaders[name]().catch(() => null);
  if (!found) throw new KrouError("no-connection");
  views[name] = found;
  found.listen?.();
}

/** A view by its name; an empty one before the first, and before it is loaded. */
export function find(name) {
  return views[name] ?? {};
}

/** The address to show for one that may name no game: its `start` is null then. */
export async function open(next) {
  await load(next.view);
  if (next.start !== null) return next;
  return find(next.view).open?.(next) ?? next;
}

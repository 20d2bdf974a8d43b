// The views of the page. The address names one; all of them share the board and the session,
// and each shows its own sections of the page.
//
// A view is an object. Each of these parts is optional:
//   open(state)      the state to show for an address that names no game, or a promise of it
//   enter(state)     this view is shown from now on
//   arrive(state)    another state is shown in this view; also called after `enter`
//   show(onPly)      what the page shows is shown again, perhaps in another language; `onPly`
//                    goes to a position of the game
//   leave()          another view is shown from now on
//   hints()          whether values and verdicts are shown; false without it
//   opponent         who plays for a player: `moves(player)` says whether it does, and
//                    `reply(game, signal)` promises the letter of its move
//   play(letter)     plays a move of the user; without it the session plays the move

/** The views in the order of their doors. The first one named `analyse` needs no name in the
 * address. */
export const NAMES = ["play", "analyse", "puzzles", "learn"];
export const DEFAULT = "analyse";

const registered = new Map();
let shown = null;

export function register(name, view) {
  registered.set(name, view);
}

/** The view that is shown, or an empty one before the first. */
export function current() {
  return registered.get(shown) ?? {};
}

/** The state to show for a state without a game: its `start` is null. */
export async function open(state) {
  if (state.start !== null) return state;
  return registered.get(state.view)?.open?.(state) ?? state;
}

/** Shows the view of a state. */
export function show(state) {
  if (state.view !== shown) {
    current().leave?.();
    shown = state.view;
    document.body.dataset.view = shown;
    for (const door of document.querySelectorAll("[data-door]")) {
      if (door.dataset.door === shown) door.setAttribute("aria-current", "page");
      else door.removeAttribute("aria-current");
    }
    current().enter?.(state);
  }
  current().arrive?.(state);
}

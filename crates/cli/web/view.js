// Draws the state: the board, the cards, and the sections of the view that is shown. All that it
// changes is whether seeds are on their way.

import { Board, letter } from "./board.js";
import { element } from "./dom.js";
import { numberOf } from "./move-list.js";
import * as notice from "./notice.js";
import * as rulesets from "./rulesets.js";
import { atEnd, estimate, hints, opponentsTurn, outcome, position, redoPly, state, undoPly, update, view } from "./state.js";
import { Sowing } from "./sowing.js";
import { settings } from "./storage.js";
import { illegalSentence, turnSentence, values, verdictHere } from "./telling.js";
import { text } from "./texts.js";
import { southLead } from "./verdict.js";

export const board = new Board(element("board"));
const sowing = new Sowing(board, (moving) => update({ moving }));

/** Draws all that the page shows. */
export function draw() {
  const { arriving, asked, editing, game, step } = state;
  notice.show((place) => board.shake(place));
  if (!game) return;
  document.body.classList.remove("loading");
  showView();
  element("editor").hidden = editing === null;
  document.body.classList.toggle("editing", editing !== null);
  board.turn(view().northBelow?.() ?? false);
  sowing.show(step);
  const over = Boolean(outcome());
  board.show(editing ? { ...position(), ...editing.draft, turn: null } : position(), {
    legal: over ? "" : position().legal,
    values: state.moving ? [] : values().moves,
    reasons: illegalSentence,
    over,
    editing: editing !== null,
    source: editing?.source ?? null,
    asked,
    moving: state.moving,
    // A move may end before the position arrives to which it leads.
    held: state.moving || (arriving?.begun ?? false),
    hinted: view().hinted?.() ?? null,
    former: formerTurn(),
  });
  showPreview();
  showVerdict();
  view().show?.();
  showControls();
}

/** Shows the sections of the view, and its door. */
function showView() {
  const shown = document.querySelector("nav [aria-current]")?.dataset.door;
  if (shown === state.view) return;
  document.documentElement.dataset.view = state.view;
  for (const door of document.querySelectorAll("nav [data-door]")) {
    if (door.dataset.door === state.view) door.setAttribute("aria-current", "page");
    else door.removeAttribute("aria-current");
  }
}

/** The user's move before the opponent's one that is shown; null if there is none. */
function formerTurn() {
  const { turn } = position();
  return turn && view().opponentOf?.(turn.player) ? state.game.positions[state.ply - 1].turn : null;
}

/** Shows where the last seed of the move of the pit that the user points to would land and what
 * it would take, in words and on the board. */
function showPreview() {
  const { editing, knowledge, moving, pointed, rules } = state;
  if (moving) return;
  board.clearMarks();
  const { position: name, legal } = position();
  const allowed = state.view !== "play" || settings.preview;
  element("preview").hidden = !allowed;
  const playable = allowed && pointed !== null && !editing && !outcome() && !opponentsTurn() && legal.includes(letter(pointed));
  const events = playable ? knowledge.events(rules, name, letter(pointed)) : null;
  element("preview").textContent = events ? previewSentence(letter(pointed), events) : "";
}

/** Marks on the board what a move would do, and says it. */
function previewSentence(one, events) {
  const last = events.findLast(({ event }) => event === "sow");
  const taken = events.filter(({ event }) => event === "capture");
  if (last) board.mark(last.to, "lands");
  for (const { from } of taken) board.mark(from, "takes");
  const seeds = taken.reduce((sum, part) => sum + part.seeds, 0);
  return last ? text.board.preview(one, last.to, seeds) : "";
}

/** Shows whose turn it is and the verdict, or the result once all seeds have arrived. */
function showVerdict() {
  const over = state.moving ? null : outcome();
  const own = view().told?.(over) ?? null;
  const turn = own || turnSentence();
  const found = verdictHere();
  const told = (hints() || over) && !state.editing;
  if (told) showStatus(over ? "" : turn, over && own ? { ...found, title: own } : found);
  else showStatus("", { title: turn });
  const lead = told ? southLead(position(), estimate()) : null;
  showBar(lead, state.game.total);
  document.title = text.title.position(state.rules, state.ply > 0 ? numberOf(state.game, state.ply - 1) : 0, told ? found.title : turn);
}

function showControls() {
  const { game, ply } = state;
  element("ply").textContent = `${ply} / ${game.positions.length - 1}`;
  rulesets.show();
  const idle = {
    first: ply === 0,
    back: ply === 0,
    forward: atEnd(),
    last: atEnd(),
    undo: undoPly() === null,
    redo: redoPly() === null,
  };
  for (const [id, value] of Object.entries(idle)) element(id).setAttribute("aria-disabled", String(value));
  element("flip").setAttribute("aria-pressed", String(settings.flipped));
}

/** Shows whose turn it is, and a verdict with its title, kind and details. */
function showStatus(turn, { title, kind = null, details = [] }) {
  element("status").textContent = turn;
  element("verdict").textContent = title;
  const tag = element("verdict-kind");
  tag.hidden = kind === null;
  tag.dataset.kind = kind ?? "";
  tag.textContent = kind ? text.verdict[kind] : "";
  tag.title = kind ? text.verdict[`${kind}Title`] : "";
  element("verdict-details").textContent = details.join(" ");
}

/** Shows South's share of the seeds at the end of the game; `lead` is South's final lead and
 * whether it is exact, or null. */
function showBar(lead, total) {
  element("bar").hidden = lead === null;
  if (lead === null) return;
  element("bar").dataset.kind = lead.exact ? "exact" : "estimate";
  element("bar-south").style.width = `${(50 + (50 * lead.net) / total).toFixed(1)}%`;
}

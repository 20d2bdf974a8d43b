// The games that were played against opponents or at this screen, with their results. They stay
// in this browser. The list is `kept` in the state, the game that was played last first.
//
// A game has what its address says (`rules`, `start`, `moves` and `query`, whose `game` is the
// time when it began and names it), the `stores` at its end so far, its `result` with a `winner`
// and the `reason` or null, the `accuracy` of both players from a review or null, and the time
// that is left on its `clock` or null.

import { sameGame } from "./address.js";
import { element, makeRow } from "./dom.js";
import { keyOf, nameOf, OTHER, readMatch } from "./opponents.js";
import { state, update } from "./state.js";
import * as storage from "./storage.js";
import { text } from "./texts.js";

const KEY = "krou-kept";
/** The most games that are kept; the one that was played longest ago is forgotten. */
const MOST_GAMES = 300;

function isGame({ rules, start, moves, query, stores }) {
  const parts = [rules, start, moves, query?.game];
  return parts.every((part) => typeof part === "string") && readMatch(query) !== null && Number.isInteger(stores?.south);
}

/** Reads the games again: another tab may have changed them. */
export function refresh() {
  const found = storage.read(KEY);
  const kept = Array.isArray(found) ? found.filter(isGame) : state.kept;
  // What is shown of the same games keeps the focus.
  if (JSON.stringify(kept) !== JSON.stringify(state.kept)) update({ kept });
}

function change(edit) {
  refresh();
  update({ kept: edit(state.kept).slice(0, MOST_GAMES) });
  storage.write(KEY, state.kept);
}

/** A game by the name in its address, or undefined. */
export const find = (name) => state.kept.find(({ query }) => query.game === name);

/** The game to continue: the last one, unless it is over. */
export function unfinished() {
  const [last] = state.kept;
  return last && !last.result ? last : null;
}

/** Keeps a game as far as it has come. One that was taken back stays until it goes on. */
export function keep(game) {
  const known = find(game.query.game);
  const isOlder = known && known.moves !== game.moves && known.moves.startsWith(game.moves) && known.query.end === game.query.end;
  if (game.moves === "" || isOlder) return;
  const { accuracy = null } = known && sameGame(known, game) ? known : {};
  const kept = { ...game, accuracy };
  if (JSON.stringify(kept) !== JSON.stringify(known)) put(kept);
}

/** Adds a game as the last one, or changes it. */
export function put(game) {
  change((games) => [game, ...games.filter(({ query }) => query.game !== game.query.game)]);
}

/** Notes how well both players of a game played, by the summary of its review. */
export function noteReview(game, { players }) {
  if (!state.kept.some((one) => sameGame(one, game))) return;
  const accuracy = { south: players.south.accuracy, north: players.north.accuracy };
  change((games) => games.map((one) => (sameGame(one, game) ? { ...one, accuracy } : one)));
}

export function remove(name) {
  change((games) => games.filter(({ query }) => query.game !== name));
}

/** How a finished game went for the user: "won", "drawn" or "lost". */
export function scoreOf({ query, result }) {
  if (!result.winner) return "drawn";
  return result.winner === query.side ? "won" : "lost";
}

/** Games won, drawn and lost against each opponent: its `match`, and the
 * counts by result. */
export function results() {
  const found = new Map();
  for (const game of state.kept) {
    const match = readMatch(game.query);
    if (!game.result || match.opponent === "none") continue;
    const key = keyOf(match);
    if (!found.has(key)) found.set(key, { match, won: 0, drawn: 0, lost: 0 });
    found.get(key)[scoreOf(game)] += 1;
  }
  return [...found.values()];
}

export function listen() {
  refresh();
  addEventListener("storage", ({ key }) => (key === KEY || key === null) && refresh());
}

// The card: the game to continue, the list, and the results by opponent

const dateOf = ({ query }) => new Date(Number(query.game)).toLocaleDateString(text.code, { dateStyle: "medium" });

const opponentOf = ({ query }) => nameOf(readMatch(query));

/** How a game stands or ended, with the user's seeds first. */
function standing({ query, stores, result, moves }) {
  const { side } = query;
  const [own, other] = [stores[side], stores[OTHER[side]]];
  if (!result) return text.kept.unfinished(moves.length, own, other);
  const early = text.kept.early[result.reason];
  if (query.opponent === "none") return early ? early.shared(result.winner) : text.kept.shared(result.winner, stores);
  const score = scoreOf({ query, result });
  return early ? early[score] : text.kept[score](own, other);
}

/** The accuracy of the user, or of both players at this screen. */
function accuracyOf({ query, accuracy }) {
  if (!accuracy) return "";
  const players = query.opponent === "none" ? ["south", "north"] : [query.side];
  const known = players.map((player) => accuracy[player]).filter((one) => one !== null);
  return known.map((one) => `${text.decimal(one)} %`).join(" · ");
}

function makeButton(action, label, game) {
  const button = document.createElement("button");
  button.type = "button";
  Object.assign(button.dataset, { action, game: game.query.game });
  button.textContent = label;
  button.setAttribute("aria-label", text.kept.about(label, opponentOf(game), dateOf(game)));
  return button;
}

function makeItem(game) {
  const item = document.createElement("li");
  const [name, told, tools] = ["strong", "span", "div"].map((part) => document.createElement(part));
  name.textContent = opponentOf(game);
  told.className = "soft";
  told.textContent = [standing(game), accuracyOf(game), dateOf(game)].filter(Boolean).join(" · ");
  tools.className = "tools";
  tools.append(
    makeButton("kept-open", game.result ? text.kept.open : text.kept.goOn, game),
    makeButton("kept-review", text.kept.review, game),
    makeButton("kept-export", text.kept.export, game),
    makeButton("kept-delete", text.kept.remove, game),
  );
  item.append(name, " ", told, tools);
  return item;
}

/** Shows all of it where a game is set up. */
export function show() {
  showContinue(unfinished());
  element("kept").hidden = state.kept.length === 0;
  const list = element("kept-list");
  // The elements keep the focus as long as nothing changes.
  if (list.kept === state.kept && list.dataset.language === text.code) return;
  list.kept = state.kept;
  list.dataset.language = text.code;
  list.replaceChildren(...state.kept.map(makeItem));
  const played = results();
  element("kept-results").hidden = played.length === 0;
  element("kept-rows").replaceChildren(...played.map(({ match, won, drawn, lost }) => makeRow([nameOf(match), [won, drawn, lost]])));
}

function showContinue(game) {
  element("continue").hidden = game === null;
  if (!game) return;
  element("continue-game").dataset.game = game.query.game;
  const name = opponentOf(game);
  const told = ["none", "friend"].includes(game.query.opponent) ? name : text.play.against(name);
  element("continue-about").textContent = `${told} · ${standing(game)}`;
}

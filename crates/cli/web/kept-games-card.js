// Shows the kept games: the one to continue, the list, and the results by opponent.

import { element, makeRow } from "./dom.js";
import * as keptGames from "./kept-games.js";
import { nameOf, OTHER, readMatch } from "./opponents.js";
import { state } from "./state.js";
import { text } from "./texts.js";

const dateOf = ({ query }) => new Date(Number(query.game)).toLocaleDateString(text.code, { dateStyle: "medium" });

const opponentOf = ({ query }) => nameOf(readMatch(query));

/** How a game stands or ended, with the user's seeds first. */
function standing({ query, stores, result, moves }) {
  const { side } = query;
  const [own, other] = [stores[side], stores[OTHER[side]]];
  if (!result) return text.kept.unfinished(moves.length, own, other);
  const early = text.kept.early[result.reason];
  if (query.opponent === "none") return early ? early.shared(result.winner) : text.kept.shared(result.winner, stores);
  const score = keptGames.scoreOf({ query, result });
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
  showContinue(keptGames.unfinished());
  element("kept").hidden = state.kept.length === 0;
  const list = element("kept-list");
  // The elements keep the focus as long as nothing changes.
  if (list.kept === state.kept && list.dataset.language === text.code) return;
  list.kept = state.kept;
  list.dataset.language = text.code;
  list.replaceChildren(...state.kept.map(makeItem));
  const results = keptGames.results();
  element("kept-results").hidden = results.length === 0;
  element("kept-rows").replaceChildren(...results.map(({ match, won, drawn, lost }) => makeRow([nameOf(match), [won, drawn, lost]])));
}

function showContinue(game) {
  element("continue").hidden = game === null;
  if (!game) return;
  element("continue-game").dataset.game = game.query.game;
  const name = opponentOf(game);
  const told = ["none", "friend"].includes(game.query.opponent) ? name : text.play.against(name);
  element("continue-about").textContent = `${told} · ${standing(game)}`;
}

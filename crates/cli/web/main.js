// The page: what its parts are, and which events call its actions. The state is in `state.js`,
// the actions are in `actions.js`, and `view.js` draws.

import { act } from "./actions.js";
import * as api from "./api.js";
import { closeBeside } from "./dialogs.js";
import * as keptGames from "./kept-games.js";
import * as keyboard from "./keyboard.js";
import * as notice from "./notice.js";
import { drawWith, state, until, update } from "./state.js";
import { text, translate } from "./texts.js";
import { board, draw } from "./view.js";
import * as views from "./views.js";

/** The controls that call an action, by the event that does. */
const CONTROLS = {
  click: ":is(button, a, svg)[data-action]",
  change: ":is(select, input)[data-action]",
  submit: "form[data-action]",
};

/** What an action is given by its control. */
function givenBy({ dataset, type, checked, value }) {
  return { ...dataset, value: type === "checkbox" ? checked : value };
}

function onControl(event) {
  const control = event.target.closest(CONTROLS[event.type]);
  if (!control) return;
  // A link opens elsewhere with these.
  if (control.localName === "a" && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
  event.preventDefault();
  act(control.dataset.action, givenBy(control));
}

/** The secondary button takes a seed from a place that is edited. */
function onMenu(event) {
  const { place } = event.target.closest("[data-place]")?.dataset ?? {};
  if (place === undefined) return;
  event.preventDefault();
  act("place", { place, step: -1 });
}

function onKey(event) {
  const call = keyboard.callFor(event);
  if (!call) return;
  event.preventDefault();
  act(...call);
}

/** Says that an answer needs the engine, which is still being loaded. */
function tellWait(waits) {
  if (waits) notice.tell(text.notice.engineLoads, { calm: true });
  else if (state.notice?.sentence === text.notice.engineLoads) notice.hide();
}

/** The tables of a web host are there, or what was read has grown, or it fails: that is told once. */
async function hearOfHost({ host, opened, fetched, failed = null }) {
  const before = state.host;
  update({ host: { host, fetched: fetched ?? before?.fetched ?? null, failed } });
  // A position on its way would close the message.
  await until(() => state.game && !state.arriving);
  if (failed && !before?.failed) notice.tell(text.solver.hostFailed(host, failed), { calm: true });
  if (opened) act("learn-tables");
}

function listen() {
  document.addEventListener("click", onControl);
  document.addEventListener("click", closeBeside);
  document.addEventListener("change", onControl, { capture: true });
  document.addEventListener("submit", onControl);
  document.addEventListener("contextmenu", onMenu);
  document.addEventListener("keydown", onKey);
  addEventListener("popstate", () => act("address"));
  document.addEventListener("visibilitychange", () => act("visibility"));
  addEventListener("pagehide", () => act("leave"));
  addEventListener("pageshow", ({ persisted }) => persisted && act("return"));
  board.listen((pit) => act("point", { pit }));
  keyboard.listen();
  keptGames.listen();
  api.watchEngine(tellWait);
  api.watchTables((rules) => act(rules.includes(state.rules) ? "learn-tables" : "load-rulesets"));
  api.watchHost(hearOfHost);
  window.krou = { probe: api.probeBoard };
}

function start() {
  views.register({
    play: () => import("./play.js"),
    analyse: () => import("./analyse.js"),
    learn: () => import("./learn.js"),
    puzzles: () => import("./puzzles.js"),
  });
  drawWith(draw);
  listen();
  translate();
  document.title = text.page.title;
  act("address");
  act("load-rulesets");
}

start();

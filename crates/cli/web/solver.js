// Solving layers in this browser: a build, and removing its tables. A page with a server has no
// solver.
//
// The `solver` of the state has the `most` seeds, and the `tables` stored here, both null until
// they are known; the `build` in progress, with its controller, ruleset and progress; the last
// `error` as a sentence; and what is known of a web `host` of tables: its name, what was `fetched`,
// and why it `failed`.

import * as api from "./api.js";
import { element } from "./dom.js";
import { refreshGame } from "./going.js";
import { announce, tell, tellError } from "./notice.js";
import * as rulesets from "./rulesets.js";
import { Progress } from "./solver-progress.js";
import { position, PROGRESS_DELAY, state, until, update } from "./state.js";
import { errorSentence, text } from "./texts.js";

const { solver } = api;

function change(changes) {
  update({ solver: { ...state.solver, ...changes } });
}

/** Asks what is stored here, if there is a solver. */
export async function begin() {
  if (!solver) return;
  change({ most: null, tables: null, build: null, error: "", host: null });
  api.watchTables((rules) => (rules.includes(state.rules) ? learnTables() : rulesets.refresh()));
  api.watchHost(hearOfHost);
  await refresh();
}

/** The tables of the host are there, or what was read has grown, or it fails: that is told once. */
async function hearOfHost({ host, opened, fetched, failed = null }) {
  const before = state.solver.host;
  change({ host: { host, fetched: fetched ?? before?.fetched ?? null, failed } });
  // A position on its way would close the message.
  await until(() => state.game && !state.arriving);
  if (failed && !before?.failed) tell(text.solver.hostFailed(host, failed), { calm: true });
  if (opened) await learnTables();
}

async function refresh() {
  try {
    change(await solver.state());
  } catch (error) {
    change({ error: errorSentence(error) });
  }
}

/** Starts a build up to the chosen layer, or stops the one in progress. Layers that are finished
 * stay. */
export function toggle() {
  if (!state.solver.build) return solve();
  state.solver.build.controller.abort();
  return undefined;
}

async function solve() {
  const seeds = Number(element("solver-seeds").value);
  const { rules } = state;
  const progress = new Progress((rulesets.highest(rules) ?? -1) + 1, seeds);
  const build = { controller: new AbortController(), rules, seeds, progress };
  change({ build, error: "" });
  const handlers = {
    onProgress: (told) => {
      progress.tell(told);
      update({}, PROGRESS_DELAY);
    },
    onLayer: changed,
  };
  try {
    await solver.solve(rules, seeds, handlers, build.controller.signal);
    announce(text.solver.finished(rules, seeds));
  } catch (error) {
    if (error.name !== "AbortError") change({ error: errorSentence(error) });
  }
  change({ build: null });
  await changed();
}

/** Removes the stored tables of a ruleset. */
export async function remove(rules) {
  try {
    await solver.remove(rules);
    change({ error: "" });
  } catch (error) {
    change({ error: errorSentence(error) });
  }
  await changed();
}

/** The tables have changed, perhaps of one layer alone. */
async function changed(layer) {
  await refresh();
  await learnTables(layer);
}

/** What the tables say of the game is asked for again, unless its position is in another layer
 * than the one that has changed. */
export async function learnTables(layer) {
  state.knowledge.forgetTables();
  rulesets.refresh();
  if (layer !== undefined && state.game && position().seeds !== layer) return;
  try {
    await refreshGame();
  } catch (error) {
    tellError(error, ["learn-tables"]);
  }
}

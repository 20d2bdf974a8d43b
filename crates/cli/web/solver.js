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
import { position, PROGRESS_DELAY, state, until, update } from "./state.js";
import { errorSentence, text } from "./texts.js";

const { solver } = api;

/** The share of a layer's work that is done when a phase begins and when it ends. The phase
 * repeats its sweeps until nothing changes; each takes half of what is left of its share. */
const PHASES = {
  conversions: [0, 0.15],
  values: [0.15, 0.55],
  bounds: [0.55, 0.75],
  distances: [0.75, 0.97],
  packing: [0.97, 1],
};
/** The first part of a build says little about the rest. */
const LEAST_DONE = 0.02;
const LEAST_TIME = 2000;

/** The number of boards of a layer: ways to put seeds into twelve pits. */
function boards(seeds) {
  let number = 1;
  for (let one = 1; one <= 11; one++) number = (number * (seeds + one)) / one;
  return number;
}

/** How much of a build is done, and how long the rest takes: an estimate from the boards of its layers
 * and what each phase of a layer takes. */
class Progress {
  /** Of a build of the layers from `first` to `last`. */
  constructor(first, last) {
    this.layers = [];
    for (let seeds = first; seeds <= last; seeds++) this.layers.push(seeds);
    this.all = this.layers.reduce((sum, seeds) => sum + boards(seeds), 0);
    this.begun = performance.now();
    this.done = 0;
    /** The layer in work, or null before the first one. */
    this.layer = null;
  }

  /** Takes in what the build tells: a layer, its phase and sweep, and the boards done in it. */
  tell({ seeds, phase, sweep = 1, boards: number, done }) {
    this.layer = seeds;
    const [from, to] = PHASES[phase] ?? [0, 1];
    const left = (to - from) * 0.5 ** (Math.max(sweep, 1) - 1);
    const share = to - left + (number ? (0.5 * left * done) / number : 0);
    const below = this.layers.filter((one) => one < seeds).reduce((sum, one) => sum + boards(one), 0);
    // What is done never shrinks.
    this.done = Math.max(this.done, (below + share * boards(seeds)) / this.all);
  }

  /** The share that is done, and the seconds that are left or null. */
  estimate() {
    const time = performance.now() - this.begun;
    const known = this.done >= LEAST_DONE && time >= LEAST_TIME;
    return { done: this.done, left: known ? (time * (1 - this.done)) / this.done / 1000 : null };
  }
}

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

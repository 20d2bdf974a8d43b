// Solving layers in this browser: a build, removing its tables, and the card of both. A page with a
// server has no solver.
//
// The `solver` of the state has the `most` seeds, and the `tables` stored here, both null until
// they are known; the `build` in progress, with its controller, ruleset and progress; and the last
// `error` as a sentence.

import * as api from "./api.js";
import { element, setText } from "./dom.js";
import { learnTables } from "./going.js";
import { announce } from "./notice.js";
import * as rulesets from "./rulesets.js";
import { PROGRESS_DELAY, state, update } from "./state.js";
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
  change({ most: null, tables: null, build: null, error: "" });
  await refresh();
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

// The card

/** Shows the card for the ruleset of the page. */
export function show() {
  const { solver } = state;
  element("solver").hidden = !solver;
  if (!solver) return;
  showHost();
  showChoice(solver);
  showProgress(solver);
  setText("solver-error", solver.error);
  element("solver-error").hidden = solver.error === "";
  showTables(solver);
}

/** Shows what has been read from the web host, or why nothing is. */
function showHost() {
  const { host, fetched, failed } = state.host ?? {};
  element("solver-host").hidden = !fetched && !failed;
  if (failed) setText("solver-host", text.solver.hostFailed(host, failed));
  else if (fetched) setText("solver-host", text.solver.fetched(host, fetched.requests, fetched.bytes));
}

/** Shows the numbers of seeds that can still be solved, and the button. */
function showChoice({ build, most, tables }) {
  const { rules } = state;
  const first = (rulesets.highest(rules) ?? -1) + 1;
  const choices = [];
  for (let seeds = Math.max(first, 1); seeds <= (most ?? -1); seeds++) choices.push(seeds);
  const select = element("solver-seeds");
  const shown = `${rules} ${choices.join()} ${text.code}`;
  if (select.dataset.shown !== shown) {
    const chosen = Number(select.value);
    select.replaceChildren(...choices.map((seeds) => new Option(text.solver.seeds(seeds), seeds)));
    // Ten seeds or one more than there are take a moment.
    select.value = choices.includes(chosen) ? chosen : choices.find((seeds) => seeds >= 10) ?? choices.at(-1) ?? "";
    select.dataset.shown = shown;
  }
  element("solver-choice").hidden = build !== null || choices.length === 0;
  const start = element("solver-start");
  start.hidden = !build && choices.length === 0;
  start.textContent = build ? text.solver.stop : text.solver.start;
  element("solver-done").hidden = build !== null || choices.length > 0 || !tables;
  element("solver-done").textContent = text.solver.done(rules, most ?? -1);
}

function showProgress({ build }) {
  element("solver-progress").hidden = !build;
  element("solver-phase").hidden = !build;
  if (!build) return;
  const { done, left } = build.progress.estimate();
  if (done > 0) element("solver-progress").value = done;
  else element("solver-progress").removeAttribute("value");
  element("solver-phase").textContent = text.solver.phase(build.rules, build.progress.layer, build.seeds, left);
}

function showTables({ build, tables }) {
  const list = element("solver-tables");
  element("solver-stored").hidden = !tables || tables.length === 0;
  // The buttons keep the focus as long as nothing changes.
  const shown = JSON.stringify([tables, build?.rules, text.code]);
  if (list.dataset.shown === shown) return;
  list.dataset.shown = shown;
  list.replaceChildren(...(tables ?? []).map(({ rules, seeds, bytes }) => {
    const item = document.createElement("li");
    item.className = "tools";
    const button = document.createElement("button");
    button.type = "button";
    Object.assign(button.dataset, { action: "solver-remove", rules });
    button.textContent = text.solver.remove;
    button.setAttribute("aria-label", text.solver.removeLabel(rules));
    // A build reads the tables below its layer.
    button.disabled = build?.rules === rules;
    item.append(text.solver.stored(rules, seeds, bytes), " ", button);
    return item;
  }));
}

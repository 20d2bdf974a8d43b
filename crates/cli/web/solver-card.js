// The card for solving layers in this browser: which tables are stored here, a build with
// its progress, and removing tables. A page with a server has no such card.

import { element, setText } from "./dom.js";
import { highest } from "./rulesets.js";
import { state } from "./state.js";
import { text } from "./texts.js";

/** Shows the card for the ruleset of the page. */
export function show() {
  const { solver } = state;
  element("solver").hidden = !solver;
  if (!solver) return;
  showHost(solver);
  showChoice(solver);
  showProgress(solver);
  setText("solver-error", solver.error);
  element("solver-error").hidden = solver.error === "";
  showTables(solver);
}

/** Shows what has been read from the web host, or why nothing is. */
function showHost({ host: known }) {
  const { host, fetched, failed } = known ?? {};
  element("solver-host").hidden = !fetched && !failed;
  if (failed) setText("solver-host", text.solver.hostFailed(host, failed));
  else if (fetched) setText("solver-host", text.solver.fetched(host, fetched.requests, fetched.bytes));
}

/** Shows the numbers of seeds that can still be solved, and the button. */
function showChoice({ build, most, tables }) {
  const { rules } = state;
  const first = (highest(rules) ?? -1) + 1;
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

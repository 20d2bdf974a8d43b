// The rulesets of the answers: the list to choose from, and a line about each.

import * as api from "./api.js";
import { element } from "./dom.js";
import { tellError } from "./notice.js";
import { state, update } from "./state.js";
import { text } from "./texts.js";

/** Asks for the rulesets. */
export async function load() {
  update({ rulesets: await api.rulesets() });
}

/** Asks for the rulesets again. An error is told, unless there is another one. */
export async function refresh() {
  try {
    await load();
  } catch (error) {
    if (!state.notice) tellError(error, ["load-rulesets"]);
  }
}

/** A ruleset by its name, or undefined. */
export function find(name) {
  return state.rulesets.find((one) => one.name === name);
}

/** The highest layer with values of a ruleset, or null. */
export function highest(name) {
  return find(name)?.highest ?? null;
}

/** Whether every seed ends in a store, so that the lead gives the final score. */
export function claimsAll(name) {
  const ruleset = find(name);
  if (!ruleset) return false;
  return ruleset.family === "stores" || (ruleset.leftovers === "owner" && ruleset.endless !== "nobody");
}

/** A line about a ruleset: its own, or its choices. */
function about(name) {
  if (Object.hasOwn(text.ruleset.about, name)) return text.ruleset.about[name];
  // The name of other rules lists their choices.
  const [family, grandSlam, feeding, leftovers, endless] = name.split("+");
  if (family !== "oware") return "";
  const choices = { grandSlam, feeding, leftovers, endless };
  return Object.entries(choices).map(([choice, word]) => text.ruleset[choice][word] ?? "").join(" ").trim();
}

/** Fills a list of rulesets, with this one selected. */
export function fill(select, name) {
  const options = state.rulesets.map((one) => [one.name, one.highest === null
    ? text.ruleset.noTables(one.name)
    : text.ruleset.toSeeds(one.name, one.highest)]);
  if (!find(name)) options.push([name, name]);
  const shown = options.map(([value, label]) => `${value} ${label}`).join();
  if (select.dataset.shown !== shown) {
    select.replaceChildren(...options.map(([value, label]) => {
      const option = new Option(label, value);
      option.title = about(value);
      return option;
    }));
    select.dataset.shown = shown;
  }
  select.value = name;
  select.title = name;
}

/** Shows the list with the ruleset of the state selected, and the line about it. */
export function show() {
  const { rules: name } = state;
  fill(element("rules"), name);
  element("ruleset-title").textContent = text.ruleset.title(name);
  const tables = state.rulesets.length > 0 ? text.ruleset.tables(highest(name)) : "";
  element("ruleset-text").textContent = `${about(name)} ${tables}`.trim();
}

/** Writes the named rulesets, each with its line, into a list of definitions. */
export function describe(list) {
  list.replaceChildren(...Object.entries(text.ruleset.about).flatMap(([name, line]) => {
    const term = document.createElement("dt");
    const description = document.createElement("dd");
    term.textContent = name;
    description.textContent = line;
    return [term, description];
  }));
}

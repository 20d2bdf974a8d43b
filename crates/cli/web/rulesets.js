// The rulesets of the answers: the list to choose from, and a line about each.

import { RULES } from "./address.js";
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

/** A ruleset by the name that players know. */
export const nameOf = (name) => text.ruleset.names[name] ?? name;

/** Fills a list with the names that players know, with this one selected: that of tournaments
 * comes first. */
export function fillByName(select, name) {
  const others = state.rulesets.map((one) => one.name).filter((one) => one !== RULES);
  if (![RULES, ...others].includes(name)) others.push(name);
  fill(select, name, [RULES].concat(others).map((one) => [one, nameOf(one)]), (options) => {
    const group = document.createElement("optgroup");
    group.label = text.ruleset.others;
    group.append(...options.slice(1));
    return [options[0], group];
  });
}

/** Fills a list of rulesets with how far their tables reach, with this one selected. */
function fillWithTables(select, name) {
  const options = state.rulesets.map((one) => [one.name, one.highest === null
    ? text.ruleset.noTables(one.name)
    : text.ruleset.toSeeds(one.name, one.highest)]);
  if (!find(name)) options.push([name, name]);
  fill(select, name, options);
}

/** Fills a list with options, pairs of a value and a label, which may be grouped. */
function fill(select, name, options, group = (made) => made) {
  const shown = options.map(([value, label]) => `${value} ${label}`).join();
  if (select.dataset.shown !== shown) {
    const made = options.map(([value, label]) => {
      const option = new Option(label, value);
      option.title = about(value);
      return option;
    });
    select.replaceChildren(...group(made));
    select.dataset.shown = shown;
  }
  select.value = name;
  select.title = name;
}

/** Shows the list with the ruleset of the state selected, and the line about it. */
export function show() {
  const { rules: name } = state;
  fillWithTables(element("rules"), name);
  element("ruleset-title").textContent = text.ruleset.title(nameOf(name));
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

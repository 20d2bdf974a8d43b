// What a worker of the page answers. `worker-probe.js` and `worker-full.js` start it.

import { KrouError } from "../library/error.js";
import { Library } from "../library/library.js";
import { serve } from "../library/remote.js";
import * as store from "./table-store.js";

let library = null;
/** The rulesets whose stored tables have been read. */
let read = new Set();

/** Reads the stored tables of a ruleset. Those that cannot be read count as missing. */
async function load(rules) {
  if (read.has(rules)) return;
  let files = [];
  try {
    files = await store.read(rules);
  } catch {
    // A browser may refuse to store anything. There are still the tables of the page.
  }
  for (const why of library.setTables(rules, files)) console.warn(why);
  read.add(rules);
}

/** Reads all stored tables. */
async function loadAll() {
  const stored = await store.summary().catch(() => []);
  for (const { rules } of stored) await load(rules);
}

/** Reads the stored tables of a ruleset by any of its names; a wrong one is refused later. */
async function loadFor(rules) {
  const name = library.rulesetName(rules);
  if (name !== undefined) await load(name);
}

const calls = {
  async answer({ first, what, parameters, body }) {
    if (first === "rulesets" || first === "version") await loadAll();
    else await loadFor(first);
    try {
      return library.answer(first, what, parameters, body);
    } catch (error) {
      // A board without a table is a valid answer: its moves are known.
      if (error instanceof KrouError && error.details.missing !== undefined) return error.details;
      throw error;
    }
  },

  async analysis({ rules, parameters }, tell) {
    await loadFor(rules);
    return library.analyse(rules, parameters, (info) => tell("info", info));
  },

  async review({ rules, parameters }, tell) {
    await loadFor(rules);
    for (const [name, data] of library.review(rules, parameters)) {
      if (name === "done") return data;
      tell(name, data);
    }
    return null;
  },

  async solve({ rules, seeds }, tell) {
    const files = await store.read(library.rulesetName(rules));
    for (const tables of library.build(rules, seeds, files, (progress) => tell("progress", progress))) {
      if (tables.length > 0) {
        await store.write(tables);
        tell("layer", tables[0].seeds);
      }
    }
    return null;
  },

  most: () => library.maxBuildSeeds(),

  forget() {
    // Rulesets whose tables were removed get those of the page again.
    for (const rules of read) library.setTables(rules, []);
    read = new Set();
    return null;
  },
};

/** Lets the worker answer with this glue, once it gets the module and the tables. */
export function answerWith(glue) {
  // Opens the store while the module is on its way.
  store.summary().catch(() => {});
  serve(globalThis, ({ module, tables }) => { library = new Library(glue, module, tables); }, calls);
}

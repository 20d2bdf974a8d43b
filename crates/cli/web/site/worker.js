// What a worker of the page answers. `worker-probe.js` and `worker-full.js` start it.

import { KrouError } from "../library/error.js";
import { Library } from "../library/library.js";
import { RangeStore } from "../library/range-store.js";
import { Host } from "../library/ranges.js";
import { serve } from "../library/remote.js";
import * as store from "./table-store.js";

let library = null;
/** The web host with more tables, as a promise; null without one. */
let host = null;
/** The most plies of a line that is read from the host: each takes a few rounds of requests. */
const HOST_PLIES = 6;
/** Tells what has been fetched from the host for the call in progress. */
let tellFetched = () => {};
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
  const remote = await host?.catch(() => null);
  if (remote) library.setHost(rules, remote);
  const setTables = () => library.setTables(rules, files);
  const damaged = remote ? await library.fetching(rules, remote, setTables) : setTables();
  for (const why of damaged) console.warn(why);
  read.add(rules);
}

/** The answer of an endpoint. */
async function ask(first, what, parameters, body) {
  const remote = await host?.catch(() => null);
  if (!remote || library.rulesetName(first) === undefined) return library.answer(first, what, parameters, body);
  const asked = parameters.plies === undefined ? parameters : { ...parameters, plies: Math.min(parameters.plies, HOST_PLIES) };
  return library.fetching(first, remote, () => library.answer(first, what, asked, body));
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
  async answer({ first, what, parameters, body }, tell) {
    tellFetched = (fetched) => tell("fetched", fetched);
    if (first === "rulesets" || first === "version") await loadAll();
    else await loadFor(first);
    try {
      return await ask(first, what, parameters, body);
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
  const start = ({ module, tables, url }) => {
    library = new Library(glue, module, tables);
    if (url) host = Host.open(url, { store: new RangeStore(), onFetch: (fetched) => tellFetched(fetched) });
    // Without the host the other tables answer.
    host?.catch((error) => console.warn(error.message));
  };
  serve(globalThis, start, calls);
}

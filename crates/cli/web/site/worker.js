// What a worker of the page answers. `worker-probe.js` and `worker-full.js` start it.

import { KrouError } from "../library/error.js";
import { Library } from "../library/library.js";
import { serve } from "../library/remote.js";
import * as store from "./table-store.js";

let library = null;
/** The web host with more tables, once its index is read; null before and without one. `opening` is
 * the promise that it is read. */
let host = null;
let opening = null;
/** The errors of a host: without it the other tables answer. */
const HOST_ERRORS = ["no-connection", "timeout", "insecure", "no-index", "no-ranges", "host", "changed"];
/** The most plies of a line that is read from the host: each takes a few rounds of requests. */
const HOST_PLIES = 6;
/** Tells that the host's index is there, what has been fetched from it, or why it does not answer. */
const tellHost = (state) => postMessage({ event: ["host", state] });
/** A host without tables. */
const NO_HOST = { index: () => JSON.stringify({ tables: [] }) };
/** The rulesets whose stored tables have been read. */
let read = new Set();

/** Reads the stored tables of a ruleset, and which ones a host has. Those that cannot be read count
 * as missing. */
async function load(rules, remote = host) {
  if (read.has(rules)) return;
  let files = [];
  try {
    files = await store.read(rules);
  } catch {
    // A browser may refuse to store anything. There are still the tables of the page.
  }
  library.setHost(rules, remote ?? NO_HOST);
  const setTables = () => library.setTables(rules, files);
  const damaged = remote ? await library.fetching(rules, remote, setTables) : setTables();
  for (const why of damaged) console.warn(why);
  if (remote === host) read.add(rules);
}

/** What `work` returns, with the tables of the host; without them if the host fails. */
async function withHost(rules, work) {
  const name = library.rulesetName(rules);
  if (name === undefined) return work();
  try {
    await load(name);
    return await (host ? library.fetching(name, host, work) : work());
  } catch (error) {
    if (!host || !HOST_ERRORS.includes(error.code)) throw error;
    tellHost({ failed: error.code });
    // The next call may find what is stored of the host.
    read.delete(name);
    await load(name, null);
    return work();
  }
}

/** The answer of an endpoint. */
function ask(first, what, parameters, body) {
  const asked = host && parameters.plies !== undefined
    ? { ...parameters, plies: Math.min(parameters.plies, HOST_PLIES) }
    : parameters;
  return withHost(first, () => library.answer(first, what, asked, body));
}

/** Reads the parts of a host's tables from which the engine chooses a move at once: those of a game's
 * last position, or of each position. The engine itself cannot wait for a host. */
async function prepare(url, rules, { start, moves = "" }, every) {
  if (url) await (opening ??= openHost(url));
  if (!host) return;
  for (let ply = every ? 0 : moves.length; ply <= moves.length; ply += 1) {
    const parameters = { start, moves: moves.slice(0, ply), plies: 1 };
    await withHost(rules, () => library.answer(rules, "position", parameters)).catch(() => {});
  }
}

/** Reads all stored tables, and which ones the host has. */
async function loadAll() {
  const stored = await store.summary().catch(() => []);
  const hosted = (host?.files() ?? []).map(({ name }) => library.rulesetName(/^(.*)-\d/.exec(name)?.[1] ?? ""));
  for (const rules of new Set([...stored.map((one) => one.rules), ...hosted])) {
    if (rules !== undefined) await withHost(rules, () => {});
  }
}

const calls = {
  async answer({ first, what, parameters, body, url }) {
    if (first === "rulesets" || first === "version") await loadAll();
    try {
      if (what === "reply") await prepare(url, first, parameters, false);
      return await ask(first, what, parameters, body);
    } catch (error) {
      // A board without a table is a valid answer: its moves are known.
      if (error instanceof KrouError && error.details.missing !== undefined) return error.details;
      throw error;
    }
  },

  async analysis({ rules, parameters }, tell) {
    await withHost(rules, () => {});
    return library.analyse(rules, parameters, (info) => tell("info", info));
  },

  async review({ rules, parameters, url }, tell) {
    await prepare(url, rules, parameters, true);
    await withHost(rules, () => {});
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

  supply({ tables }) {
    library.supply(tables);
    read = new Set();
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

/** Reads the index of a host. Until then, and without it, the other tables answer. */
async function openHost(url) {
  try {
    const [{ Host }, { RangeStore }] = await Promise.all([import("../library/ranges.js"), import("../library/range-store.js")]);
    host = await Host.open(url, { store: new RangeStore(), onFetch: (fetched) => tellHost({ fetched }) });
    read = new Set();
    tellHost({ opened: true });
  } catch (error) {
    // Its modules may not have come.
    tellHost({ failed: error.code ?? "no-connection" });
  }
}

/** Lets the worker answer with this glue, once it gets the module and the tables. */
export function answerWith(glue) {
  // Opens the store while the module is on its way.
  store.summary().catch(() => {});
  const start = ({ module, tables, url }) => {
    library = new Library(glue, module, tables);
    if (url) opening = openHost(url);
  };
  serve(globalThis, start, calls);
}

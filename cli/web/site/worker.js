// What a worker does that runs the library. It takes one call at a time, and answers with
// events and then an answer or an error. `worker-probe.js` and `worker-full.js` start it.

import * as store from "./table-store.js";

/** The glue of the module: `krou-probe.js` or `krou.js`. */
let library = null;
let answers = null;
/** The rulesets whose stored tables have been read. */
let read = new Set();
let ready;
const initialised = new Promise((resolve) => { ready = resolve; });

/** Reads the stored tables of a ruleset. Those that cannot be read count as missing. */
async function load(rules) {
  if (read.has(rules)) return;
  let files = [];
  try {
    files = await store.read(rules);
  } catch {
    // A browser may refuse to store anything. There are still the tables of the page.
  }
  for (const why of answers.set_tables(rules, files)) console.warn(why);
  read.add(rules);
}

/** Reads all stored tables. */
async function loadAll() {
  const stored = await store.summary().catch(() => []);
  for (const { rules } of stored) await load(rules);
}

/** Reads the stored tables of a ruleset by any of its names; a wrong one is refused later. */
async function loadFor(rules) {
  const name = library.ruleset_name(rules);
  if (name !== undefined) await load(name);
}

const event = (name, data) => postMessage({ event: [name, data] });

const calls = {
  async answer({ first, what, given, body }) {
    if (first === "rulesets" || first === "version") await loadAll();
    else await loadFor(first);
    try {
      return JSON.parse(answers.answer(first, what, given, body));
    } catch (error) {
      const known = typeof error === "string" ? JSON.parse(error) : {};
      // A board without a table is a valid answer: its moves are known.
      if (known.missing !== undefined) return known;
      throw error;
    }
  },

  async analysis({ rules, given }) {
    await loadFor(rules);
    return JSON.parse(answers.analyse(rules, given, (info) => event("info", JSON.parse(info))));
  },

  async review({ rules, given }) {
    await loadFor(rules);
    const review = answers.review(rules, given);
    try {
      for (;;) {
        for (const [name, data] of JSON.parse(review.step())) {
          if (name === "done") return data;
          event(name, data);
        }
      }
    } finally {
      review.free();
    }
  },

  async solve({ rules, seeds }) {
    const name = library.ruleset_name(rules);
    const build = new library.Build(rules, seeds, await store.read(name));
    try {
      for (;;) {
        const layer = build.next_seeds();
        if (layer === undefined) return null;
        const tables = build.step((progress) => event("progress", JSON.parse(progress)));
        const records = tables.map(([file, n, bytes]) => ({ name: file, rules: name, seeds: n, bytes }));
        if (records.length > 0) {
          await store.write(records);
          event("layer", layer);
        }
      }
    } finally {
      build.free();
    }
  },

  most: () => library.max_build_seeds(),

  forget() {
    // Rulesets whose tables were removed get those of the page again.
    for (const rules of read) answers.set_tables(rules, []);
    read = new Set();
    return null;
  },
};

/** Names of causes that mean something else on a server. */
const CODES = { table: "stored-table", internal: "worker" };

/** What was thrown, as an object. The library throws the text of one. */
function thrown(error) {
  if (typeof error === "string") {
    const answer = JSON.parse(error);
    return { ...answer, code: CODES[answer.code] ?? answer.code };
  }
  if (error.code !== undefined && error.details) return { code: error.code, ...error.details };
  return null;
}

/** Lets the worker answer with this glue, once it gets the module and the tables. */
export function answerWith(glue) {
  library = glue;
  // Opens the store while the module is on its way.
  store.summary().catch(() => {});
  addEventListener("message", async ({ data }) => {
    if (data.module) {
      library.initSync({ module: data.module });
      answers = new library.Answers(new Uint8Array(data.tables));
      ready();
      return;
    }
    await initialised;
    try {
      postMessage({ answer: await calls[data.call](data) });
    } catch (error) {
      const answer = thrown(error);
      // After another failure the memory of the module cannot be trusted: the page starts
      // another worker.
      if (answer === null) setTimeout(() => { throw error; });
      else postMessage({ error: answer });
    }
  });
}

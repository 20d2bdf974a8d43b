// Answers of workers that run the library: one of the two sources of `api.js`.
//
// One worker answers from tables and rules, at once: its module is small and comes first.
// Another one searches, and a third one solves, both for as long as it takes. They share a
// module that comes later; until then their calls wait.

import { KrouError } from "../library/error.js";
import { BUILT_IN, loadFull, loadProbing, loadTables } from "../library/modules.js";
import { Remote } from "../library/remote.js";
import * as store from "./table-store.js";

/** The paths that make the engine search. */
const SEARCHES = ["reply", "analysis", "review"];
/** Names of causes that mean something else on a server. */
const CODES = { table: "stored-table", internal: "worker" };

/** The ruleset whose tables the first view waits for, by `first-paint.js`; none where that view
 * shows no values. */
const wanted = BUILT_IN.filter((rules) => rules === document.documentElement.dataset.tables);

const probing = loadProbing();
const first = loadTables(wanted);
/** What the first view needs comes first: the page itself, its rules and its tables. */
const shown = new Promise((resolve) => {
  if (document.readyState === "complete") resolve();
  else addEventListener("load", resolve, { once: true });
});
/** All tables: those of other rulesets come when the first view has its own. */
const tables = Promise.all([first, probing, shown]).then(async ([before]) => {
  const others = await loadTables(BUILT_IN.filter((rules) => !wanted.includes(rules)));
  return new Uint8Array(await new Blob([before, others]).arrayBuffer());
});
let tellTables = () => {};

/** Calls `onTables` with the rulesets whose tables have come after the first answers. */
export function watchTables(onTables) {
  tellTables = onTables;
}

const later = Promise.allSettled([tables, probing, shown]);
// A failure is reported by each call.
for (const promise of [first, tables, probing]) promise.catch(() => {});

let full = null;
let engineIsThere = false;
let tellWait = () => {};

/** The module with the engine and the solver; after a failure it is fetched again. */
function engine() {
  full ??= later.then(() => loadFull({ priority: "low" }));
  full.then(
    () => {
      engineIsThere = true;
      tellWait(false);
    },
    () => { full = null; },
  );
  return full;
}

/** Calls `onWait` with true when a search waits for its module, and with false once it is
 * there. */
export function watchEngine(onWait) {
  tellWait = onWait;
}

/** The web host with more tables, if the page has one; a folder beside the page, too. */
const folder = document.querySelector("meta[name=krou-tables]")?.content;
const url = folder && new URL(folder, document.baseURI).href;
let hostAnswers = false;
let tellHost = () => {};

/** Calls `onHost` with the name of that host and what is known of it: that it was `opened`, what has
 * been `fetched` (requests and bytes), or why it `failed`. */
export function watchHost(onHost) {
  tellHost = (state) => onHost({ host: new URL(url).host, ...state });
}

/** Starts a worker; it gets its module, compiled once for all workers, and the tables. The one
 * that probes also reads those of the web host. */
function start(script, compiled, supplied, more = {}) {
  const worker = new Worker(new URL(script, import.meta.url), { type: "module" });
  Promise.all([compiled, supplied]).then(
    ([module, tables]) => worker.postMessage({ start: { module, tables, ...more } }),
    (error) => worker.dispatchEvent(new ErrorEvent("error", { message: error.message })),
  );
  return worker;
}

/** All tables if they are there, or the first ones. */
const tablesOrFirst = () => Promise.race([tables, first]);
const quick = new Remote(() => start("worker-probe.js", probing, tablesOrFirst(), { url }));
const searching = new Remote(() => start("worker-full.js", engine(), tables));
const solving = new Remote(() => start("worker-full.js", engine(), tables));

/** The parts of a path: a ruleset and what is asked about it, or one name alone. */
function parts(path) {
  return path.split("/").map(decodeURIComponent);
}

/** The answer of a worker. */
function ask(remote, message, options) {
  return remote.call(message, options).catch((error) => {
    if (error instanceof KrouError) error.code = CODES[error.code] ?? error.code;
    throw error;
  });
}

// No call waits for what the worker that probes tells: the state of the web host.
quick.onEvent = (name, state) => {
  hostAnswers = state.failed === undefined;
  tellHost(state);
};

/** The answer of the worker that knows this. */
function find(what, message, options) {
  if (!SEARCHES.includes(what)) return ask(quick, message, options);
  if (!engineIsThere) tellWait(true);
  return ask(searching, hostAnswers ? { ...message, url } : message, options);
}

/** The answer of an endpoint: an object, or a text. `body` is the text of an upload. */
export async function request(path, parameters, { signal, body } = {}) {
  const [first, what] = parts(path);
  // Workers have no source of chance.
  const chance = what === "reply" ? { seed: crypto.getRandomValues(new Uint32Array(1))[0] } : {};
  const message = { call: "answer", first, what, parameters: { ...chance, ...parameters }, body };
  return find(what, message, { signal });
}

/** Calls `onEvent` with the events of a search until its last one, `done`, whose data it
 * returns. */
export function stream(path, parameters, onEvent, signal) {
  const [rules, what] = parts(path);
  const hear = (name, data) => name !== "host" && onEvent(name, data);
  return find(what, { call: what, rules, parameters }, { signal, onEvent: hear });
}

/** Lets the workers read the stored tables again. */
function forget() {
  for (const one of [quick, searching]) one.call({ call: "forget" }).catch(() => {});
}

/** Solves layers and keeps their tables in this browser. */
export const solver = {
  /** The most seeds, and the stored tables by ruleset: `{ rules, seeds, bytes }`. */
  async state() {
    const [most, tables] = await Promise.all([ask(quick, { call: "most" }), store.summary()]);
    return { most, tables };
  },

  /** Solves the layers up to a number of seeds that are not there yet. `onProgress` is
   * called with the layer, the phase and the boards done, `onLayer` with each layer that is
   * stored. */
  async solve(rules, seeds, { onProgress, onLayer }, signal) {
    const onEvent = (name, data) => {
      if (name === "progress") onProgress(data);
      else {
        forget();
        onLayer(data);
      }
    };
    try {
      await ask(solving, { call: "solve", rules, seeds }, { signal, onEvent });
    } finally {
      // Its memory does not shrink otherwise.
      if (solving.calls.length === 0) solving.end();
    }
  },

  /** Removes the stored tables of a ruleset. */
  async remove(rules) {
    await store.remove(rules);
    forget();
  },
};

/** Once the engine has come, its worker starts, and a service worker keeps the page for
 * offline use. Without that the page works, but not offline. */
async function loadRest() {
  await engine().then(() => searching.prepare(), () => {});
  // It fetches everything.
  await navigator.serviceWorker?.register(new URL("../../sw.js", import.meta.url));
}

quick.prepare();
tables
  .then((found) => quick.call({ call: "supply", tables: found }))
  .then(() => tellTables(BUILT_IN.filter((rules) => !wanted.includes(rules))), () => {});
loadRest().catch(() => {});

/** Nobody keeps rooms for a page without a server. */
export const hasRooms = false;

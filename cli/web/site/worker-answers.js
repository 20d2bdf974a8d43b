// Answers of workers that run the library: one of the two sources of `api.js`.
//
// One worker answers from tables and rules, at once: its module is small and comes first.
// Another one searches, and a third one solves, both for as long as it takes. They share a
// module that comes later; until then their calls wait.

import { Remote } from "./remote.js";
import * as store from "./table-store.js";

/** The paths that make the engine search. */
const SEARCHES = ["reply", "analysis", "review"];
/** The first byte of what gzip has packed. */
const GZIP = 0x1f;

/** The bytes of a file in this folder. */
async function load(name, options) {
  const response = await fetch(new URL(name, import.meta.url), options);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.arrayBuffer();
}

/** Compiles a module, which is stored with gzip; a server may have said so, and then the
 * browser has unpacked it. */
async function compile(name, options) {
  const bytes = await load(name, options);
  if (new Uint8Array(bytes)[0] !== GZIP) return WebAssembly.compile(bytes);
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
}

const tables = load("tables.bin");
const probing = compile("krou-probe.wasm.gz");
/** What the first values need comes first: the page itself, its rules and its tables. */
const shown = new Promise((resolve) => {
  if (document.readyState === "complete") resolve();
  else addEventListener("load", resolve, { once: true });
});
const later = Promise.allSettled([tables, probing, shown]);
// A failure is reported by each call.
for (const promise of [tables, probing]) promise.catch(() => {});

let full = null;
let engineIsThere = false;
let tellWait = () => {};

/** The module with the engine and the solver; after a failure it is fetched again. */
function loadFull() {
  full ??= later.then(() => compile("krou.wasm.gz", { priority: "low" }));
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

/** Starts a worker; it gets its module, compiled once for all workers, and the tables. */
function start(script, compiled) {
  const worker = new Worker(new URL(script, import.meta.url), { type: "module" });
  Promise.all([compiled, tables]).then(
    ([module, tables]) => worker.postMessage({ module, tables }),
    (error) => worker.dispatchEvent(new ErrorEvent("error", { message: error.message })),
  );
  return worker;
}

const quick = new Remote(() => start("worker-probe.js", probing));
const searching = new Remote(() => start("worker-full.js", loadFull()));
const solving = new Remote(() => start("worker-full.js", loadFull()));

function given(parameters) {
  return Object.entries(parameters).map(([name, value]) => [name, String(value)]);
}

/** The parts of a path: a ruleset and what is asked about it, or one name alone. */
function parts(path) {
  return path.split("/").map(decodeURIComponent);
}

/** Calls the worker that answers this. */
function call(what, message, options) {
  if (!SEARCHES.includes(what)) return quick.call(message, options);
  if (!engineIsThere) tellWait(true);
  return searching.call(message, options);
}

/** The answer of an endpoint: an object, or a text. `body` is the text of an upload. */
export async function request(path, parameters, { signal, body } = {}) {
  const [first, what] = parts(path);
  const pairs = given(parameters);
  // Workers have no source of chance.
  if (what === "reply" && !("seed" in parameters)) {
    pairs.push(["seed", String(crypto.getRandomValues(new Uint32Array(1))[0])]);
  }
  const message = { call: "answer", first, what, given: JSON.stringify(pairs), body };
  return call(what, message, { signal });
}

/** Calls `onEvent` with the events of a search until its last one, `done`, whose data it
 * returns. */
export function stream(path, parameters, onEvent, signal) {
  const [rules, what] = parts(path);
  const message = { call: what, rules, given: JSON.stringify(given(parameters)) };
  return call(what, message, { signal, onEvent });
}

/** Lets the workers read the stored tables again. */
function forget() {
  for (const one of [quick, searching]) one.call({ call: "forget" }).catch(() => {});
}

/** Solves layers and keeps their tables in this browser. */
export const solver = {
  /** The most seeds, and the stored tables by ruleset: `{ rules, seeds, bytes }`. */
  async state() {
    const [most, tables] = await Promise.all([quick.call({ call: "most" }), store.summary()]);
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
      await solving.call({ call: "solve", rules, seeds }, { signal, onEvent });
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
  await loadFull().then(() => searching.prepare(), () => {});
  // It fetches everything.
  await navigator.serviceWorker?.register(new URL("../../sw.js", import.meta.url));
}

quick.prepare();
loadRest().catch(() => {});

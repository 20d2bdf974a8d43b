// Answers of workers that run the library: one of the two sources of `api.js`.
//
// One worker answers from tables and rules, at once. Another one searches, and a third one
// solves, both for as long as it takes.

import { Remote } from "./remote.js";
import * as store from "./table-store.js";

/** The paths that make the engine search. */
const SEARCHES = ["reply", "analysis", "review"];

/** The module, compiled once for all workers. */
const compiled = fetch(new URL("krou.wasm", import.meta.url)).then(async (response) => {
  if (!response.ok) throw new Error(`krou.wasm: ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
});
// A failure is reported by each call.
compiled.catch(() => {});

function startWorker() {
  const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  compiled.then(
    (module) => worker.postMessage({ module }),
    (error) => worker.dispatchEvent(new ErrorEvent("error", { message: error.message })),
  );
  return worker;
}

const quick = new Remote(startWorker);
const searching = new Remote(startWorker);
const solving = new Remote(startWorker);

function given(parameters) {
  return Object.entries(parameters).map(([name, value]) => [name, String(value)]);
}

/** The parts of a path: a ruleset and what is asked about it, or one name alone. */
function parts(path) {
  return path.split("/").map(decodeURIComponent);
}

function remote(what) {
  return SEARCHES.includes(what) ? searching : quick;
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
  return remote(what).call(message, { signal });
}

/** Calls `onEvent` with the events of a search until its last one, `done`, whose data it
 * returns. */
export function stream(path, parameters, onEvent, signal) {
  const [rules, what] = parts(path);
  const message = { call: what, rules, given: JSON.stringify(given(parameters)) };
  return remote(what).call(message, { signal, onEvent });
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

quick.prepare();
searching.prepare();
navigator.serviceWorker?.register(new URL("../../sw.js", import.meta.url)).catch(() => {
  // Without it the page works, but not offline.
});

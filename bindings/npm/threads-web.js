// Workers of browsers.

/** Starts a worker, which begins with this. */
export function start(begin) {
  const worker = new Worker(new URL("./worker-thread.js", import.meta.url), { type: "module" });
  worker.postMessage({ start: begin });
  return worker;
}

/** The other end, in the worker. */
export const port = globalThis;

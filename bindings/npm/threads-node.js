// Threads of Node.js, with the methods of browsers' workers.

import { parentPort, Worker } from "node:worker_threads";

/** Starts a worker, which begins with this. */
export function start(begin) {
  const thread = new Worker(new URL("./worker-thread.js", import.meta.url));
  thread.postMessage({ start: begin });
  return {
    postMessage: (message) => thread.postMessage(message),
    terminate: () => thread.terminate(),
    addEventListener(name, listener) {
      thread.on(name, name === "message"
        ? (data) => listener({ data })
        : (error) => listener({ message: error.message, preventDefault() {} }));
    },
  };
}

/** The other end, in the worker. */
export const port = parentPort && {
  postMessage: (message) => parentPort.postMessage(message),
  addEventListener: (name, listener) => parentPort.on(name, (data) => listener({ data })),
};

// The same `Tablebase` in a worker, where work does not block the caller and can be stopped.

import { fileBytes, notation, notations } from "./arguments.js";
import { KrouError } from "./library/error.js";
import { Remote } from "./library/remote.js";

export { KrouError };

/** Not a part of the import itself, since bundlers for browsers look for it. */
const NODE_THREADS = "node:worker_threads";

/** A thread of Node.js with the methods of a browser's worker. A program may end while no call
 * waits for it. */
function asWorker(thread) {
  thread.unref();
  const answered = (listener) => (data) => {
    if (!data.event) thread.unref();
    listener({ data });
  };
  return {
    postMessage(message) {
      if (message.call) thread.ref();
      thread.postMessage(message);
    },
    terminate: () => thread.terminate(),
    addEventListener(name, listener) {
      thread.on(name, name === "message"
        ? answered(listener)
        : (error) => listener({ message: error.message, preventDefault() {} }));
    },
  };
}

/** Whether there are threads as in Node.js: Bun and Deno have them besides browsers' workers, for
 * which their programs would never end. A window with the abilities of Node.js is a browser. */
const hasThreads = () => globalThis.process?.versions?.node && !globalThis.document;

/** What starts a worker here. */
async function starter() {
  if (!hasThreads()) return () => new Worker(new URL("./worker-web.js", import.meta.url), { type: "module" });
  const threads = await import(/* webpackIgnore: true */ /* @vite-ignore */ NODE_THREADS);
  return () => asWorker(new threads.Worker(new URL("./worker-node.js", import.meta.url)));
}

/** The tables of a ruleset in a worker of their own. */
export class Tablebase {
  #remote;
  #rules;
  /** The given files and those that have been built: a worker that is started again gets
   * them. */
  #tables;
  /** The error of all calls once they are closed. */
  #closed = null;

  /** Opens the tables of a ruleset. */
  static async open({ tables = [], url, ...others } = {}) {
    const opened = new Tablebase();
    opened.#tables = fileBytes(tables);
    // An object of the class URL cannot be sent.
    const address = url === undefined ? url : String(url);
    const start = await starter();
    opened.#remote = new Remote(() => {
      const worker = start();
      worker.postMessage({ start: { ...others, url: address, tables: opened.#tables } });
      return worker;
    }, "the worker has failed, or its file worker-web.js is not where the package expects it");
    try {
      opened.#rules = await opened.#call("rules");
    } catch (error) {
      opened.close();
      throw error;
    }
    return opened;
  }

  async #call(call, given = [], options = {}) {
    if (this.#closed) throw this.#closed;
    return this.#remote.call({ call, given }, options);
  }

  get rules() {
    return this.#rules;
  }

  async layers() {
    return this.#call("layers");
  }

  async probe(board) {
    return this.#call("probe", [notation(board)]);
  }

  async probeMany(boards) {
    return this.#call("probeMany", [notations(boards)]);
  }

  async moves(board) {
    return this.#call("moves", [notation(board)]);
  }

  async legalMoves(board) {
    return this.#call("legalMoves", [notation(board)]);
  }

  async play(board, pit) {
    return this.#call("play", [notation(board), pit]);
  }

  async bestLine(board, options) {
    return this.#call("bestLine", [notation(board), options]);
  }

  async analyse(board, { onInfo, signal, ...limits } = {}) {
    return this.#call("analyse", [notation(board), limits], { signal, onEvent: (_, info) => onInfo?.(info) });
  }

  async build(seeds, { onProgress, onLayer, signal } = {}) {
    const built = [];
    const onEvent = (name, data) => {
      if (name === "progress") return onProgress?.(data);
      built.push(...data);
      this.#tables.push(...data.map(({ bytes }) => bytes));
      return onLayer?.(data);
    };
    await this.#call("build", [seeds], { signal, onEvent });
    return built;
  }

  /** Ends the worker. Calls fail from now on, also those that wait. */
  close() {
    this.#closed ??= new KrouError("closed", { error: "the tables are closed" });
    this.#remote.close(this.#closed);
  }
}

// The same `Tablebase` in a worker, where work does not block the caller and can be stopped.

import { start } from "#threads";
import { fileBytes, notation } from "./arguments.js";
import { KrouError } from "./library/error.js";
import { Remote } from "./library/remote.js";

export { KrouError };

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
  static async open({ rules, tables = [], builtIn } = {}) {
    const opened = new Tablebase();
    opened.#tables = fileBytes(tables);
    opened.#remote = new Remote(() => start({ rules, tables: opened.#tables, builtIn }));
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

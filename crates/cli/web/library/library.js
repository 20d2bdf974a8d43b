// What the modules answer: objects instead of texts, and errors of one class.

import { KrouError } from "./error.js";

/** Parameters as the text that the modules read. */
function pairs(parameters) {
  return JSON.stringify(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
}

/** A function for a module, which gives the object of each text to `callback`. `rethrow` throws
 * what that has thrown. */
function listener(callback) {
  let thrown = null;
  const tell = (text) => {
    try {
      callback(JSON.parse(text));
    } catch (error) {
      thrown ??= { error };
      throw error;
    }
  };
  const rethrow = () => { if (thrown) throw thrown.error; };
  return { tell, rethrow };
}

/** How often an answer is tried again: several times as often as any needs to. */
const MOST_ROUNDS = 200;

/** A module with its tables. A call occupies the thread until its end. */
export class Library {
  /** `glue` is `krou-probe.js` or `krou.js`, `module` the compiled module, and `tables` the
   * files of the tables that are there from the start, one after another. */
  constructor(glue, module, tables) {
    glue.initSync({ module });
    this.glue = glue;
    this.answers = new glue.Answers(tables);
    this.failure = null;
  }

  /** Exchanges the tables that were there from the start. */
  supply(tables) {
    this.call(() => {
      this.answers.free();
      this.answers = new this.glue.Answers(tables);
    });
  }

  /** Calls the module, which throws the text of an error. After any other failure its memory
   * cannot be trusted, and it answers no more. */
  call(work) {
    if (this.failure) throw this.failure;
    try {
      return work();
    } catch (error) {
      if (typeof error === "string") {
        const details = JSON.parse(error);
        throw new KrouError(details.code, details);
      }
      this.failure = new KrouError("internal", { error: `the module has failed: ${error.message}` });
      this.failure.cause = error;
      throw this.failure;
    }
  }

  /** The name of a ruleset by any of its names; undefined if there is no such ruleset. */
  rulesetName(rules) {
    return this.call(() => this.glue.ruleset_name(rules));
  }

  /** Adds these files to the first tables of a ruleset, in place of those added before.
   * Returns a sentence for each file that is not a sound table. */
  setTables(rules, files) {
    return this.call(() => this.answers.set_tables(rules, files));
  }

  /** From the next `setTables` on, the tables of a ruleset are completed by those of a `Host`. */
  setHost(rules, host) {
    this.call(() => this.answers.set_remote(rules, host.index()));
  }

  /** What `work` returns once nothing is left of a host's tables that it lacks: it is called
   * again after each round of requests. */
  async fetching(rules, host, work) {
    const read = new Set();
    const files = host?.files().map(({ name }) => name);
    const join = (ranges) => {
      const numbered = ranges.map(({ file, start, end }) => ({ file: files.indexOf(file), start, end }));
      const joined = JSON.parse(this.call(() => this.glue.joined_ranges(JSON.stringify(numbered))));
      return joined.map((range) => ({ ...range, file: files[range.file] }));
    };
    for (let round = 0; ; round += 1) {
      try {
        return work();
      } catch (error) {
        const { lacking } = error.details ?? {};
        if (!lacking) {
          // Stored bytes may be wrong: the next time they are fetched again.
          if (error.code === "table") await Promise.all([...read].map((file) => host.forget(file)));
          throw error;
        }
        if (round === MOST_ROUNDS) {
          throw new KrouError("host", { error: "a probe needs more of a host's tables at once than is kept in memory" });
        }
        const bytes = await host.read(lacking.map((range) => ({ ...range, file: files[range.file] })), join);
        lacking.forEach(({ file, start }, i) => {
          read.add(files[file]);
          this.call(() => this.answers.insert(rules, file, BigInt(start), bytes[i]));
        });
      }
    }
  }

  /** The answer of an endpoint: `first` is its name, or a ruleset and `what` is asked about it.
   * `body` is the text of an upload. */
  answer(first, what, parameters, body) {
    return JSON.parse(this.call(() => this.answers.answer(first, what, pairs(parameters), body)));
  }

  /** What each of many boards is worth, given as texts. Errors name a board by its number; `first`
   * is that of the first one. */
  probeMany(rules, first, boards) {
    return JSON.parse(this.call(() => this.answers.probe_many(rules, first, JSON.stringify(boards))));
  }

  /** What the engine thinks of a position. Calls `onInfo` after each depth; returns the last
   * of these objects. An exception in `onInfo` ends the search. */
  analyse(rules, parameters, onInfo) {
    const { tell, rethrow } = listener(onInfo);
    const last = this.call(() => this.answers.analyse(rules, pairs(parameters), tell));
    rethrow();
    return JSON.parse(last);
  }

  /** The events of the review of a game, each a name and its data; the last one is `done`. */
  *review(rules, parameters) {
    const review = this.call(() => this.answers.review(rules, pairs(parameters)));
    try {
      for (;;) {
        const events = JSON.parse(this.call(() => review.step()));
        if (events.length === 0) return;
        yield* events;
      }
    } finally {
      review.free();
    }
  }

  /** Solves the layers up to a number of seeds that these files lack. Yields the tables of each
   * layer: `{ name, rules, seeds, bytes }`. An exception in `onProgress` ends the build after
   * its layer. */
  *build(rules, seeds, files, onProgress) {
    const { tell, rethrow } = listener(onProgress);
    const name = this.rulesetName(rules);
    const build = this.call(() => new this.glue.Build(rules, seeds, files));
    try {
      while (build.next_seeds() !== undefined) {
        const tables = this.call(() => build.step(tell));
        yield tables.map(([file, layer, bytes]) => ({ name: file, rules: name, seeds: layer, bytes }));
        rethrow();
      }
    } finally {
      build.free();
    }
  }

  /** The most seeds that `build` solves. */
  maxBuildSeeds() {
    return this.glue.max_build_seeds();
  }

  /** Frees the memory of the tables. Calls fail from now on. */
  free() {
    if (this.failure?.code === "closed") return;
    this.failure = new KrouError("closed", { error: "the tables are closed" });
    this.answers.free();
  }
}

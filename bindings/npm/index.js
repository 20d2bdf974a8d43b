// Tables, rules, engine and solver in this thread: `Tablebase`.

import { checkSeeds, fileBytes, folderPaths, notation, notations } from "./arguments.js";
import { Folders } from "./folders.js";
import { KrouError } from "./library/error.js";
import * as probingGlue from "./library/krou-probe.js";
import * as fullGlue from "./library/krou.js";
import { Library } from "./library/library.js";
import { loadFull, loadProbing, loadTables } from "./library/modules.js";
import { RangeStore } from "./library/range-store.js";
import { Host } from "./library/ranges.js";

export { KrouError };

const DEFAULT_PLIES = 40;
/** So many boards need fewer bytes of a table than a module keeps. */
const BOARDS_BY_RANGES = 1000;

let probing = null;
let full = null;
let builtIn = null;

/** What a promise is kept for; after a failure it is tried again. */
async function kept(promise, forget) {
  try {
    return await promise;
  } catch (error) {
    forget();
    throw error;
  }
}

/** The small module, loaded once. */
function probingModule() {
  probing ??= loadProbing();
  return kept(probing, () => { probing = null; });
}

/** The module that searches and solves as well, loaded once. */
function fullModule() {
  full ??= loadFull();
  return kept(full, () => { full = null; });
}

/** The files of the tables that are built in, loaded once. */
function builtInTables() {
  builtIn ??= loadTables();
  return kept(builtIn, () => { builtIn = null; });
}

/** The parameters that are given. */
function given(parameters) {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
}

/** A report of the engine, with the names of JavaScript. */
function report({ selective_depth, table_hits, hash_full, time_ms, ...rest }) {
  return { ...rest, selectiveDepth: selective_depth, tableHits: table_hits, hashFull: hash_full, timeMs: time_ms };
}

/** The next task of the event loop. */
const nextTask = () => new Promise((resolve) => { setTimeout(resolve); });

/** The tables of a ruleset, and what can be answered with its rules. */
export class Tablebase {
  #rules;
  #tables;
  #builtIn;
  #probing;
  #full = null;
  /** The folders and the web host whose tables complete the others, read by ranges; null without
   * any. */
  #source = null;
  /** The last question that these tables may have to answer. */
  #last = Promise.resolve();

  /** Opens the tables of a ruleset: the given files, those that are built in, and those of folders
   * and of a web host. */
  static async open({ rules = "awari", tables = [], folders = [], builtIn = true, url, insecure = false } = {}) {
    const opened = new Tablebase();
    opened.#tables = fileBytes(tables);
    const paths = folderPaths(folders);
    if (url !== undefined) {
      const store = globalThis.indexedDB ? new RangeStore() : null;
      opened.#source = await Host.open(url, { insecure, store });
    }
    if (paths.length > 0) opened.#source = await Folders.open(paths, opened.#source);
    opened.#builtIn = builtIn;
    opened.#probing = await opened.#library(probingGlue, probingModule(), String(rules), opened.#source);
    return opened;
  }

  /** A module with these tables, and those of a source. */
  async #library(glue, loading, rules, source = null) {
    const [module, supplied] = await Promise.all([loading, this.#builtIn ? builtInTables() : new Uint8Array()]);
    const library = new Library(glue, module, supplied);
    this.#rules = library.answer(rules, "game", {}).rules;
    if (source) library.setHost(rules, source);
    const setTables = () => library.setTables(rules, this.#tables);
    const damaged = source ? await library.fetching(rules, source, setTables) : setTables();
    if (damaged.length > 0) {
      const others = damaged.length > 1 ? ` (and ${damaged.length - 1} more: see details.damaged)` : "";
      throw new KrouError("table", { error: damaged[0] + others, damaged });
    }
    return library;
  }

  /** The module that searches and solves as well. It does not ask the source. */
  async #engine() {
    this.#full ??= this.#library(fullGlue, fullModule(), this.#rules);
    return kept(this.#full, () => { this.#full = null; });
  }

  #ask(what, parameters) {
    return this.#answered((library) => library.answer(this.#rules, what, given(parameters)));
  }

  /** What the module answers, once it has what it needs of the source. */
  async #answered(work) {
    const answer = () => work(this.#probing);
    if (!this.#source) return answer();
    // Each question has ranges of its own that it lacks.
    const asked = this.#last.then(() => this.#probing.fetching(this.#rules, this.#source, answer));
    this.#last = asked.catch(() => {});
    return asked;
  }

  /** The name of the ruleset. */
  get rules() {
    return this.#rules;
  }

  /** The layers with values, by their numbers of seeds. */
  async layers() {
    const { rulesets } = this.#probing.answer("rulesets", undefined, {});
    const layers = rulesets.find(({ name }) => name === this.#rules)?.layers ?? [];
    return layers.filter(({ tables }) => tables.includes("value")).map(({ seeds }) => seeds);
  }

  /** The value of a board for the mover. */
  async probe(board) {
    return this.#ask("value", { board: notation(board) });
  }

  /** What `probe` says of each of many boards: one call of the module for all, or, where tables
   * are read by ranges, for each portion. */
  async probeMany(boards) {
    const texts = notations(boards);
    const size = this.#source ? BOARDS_BY_RANGES : Math.max(texts.length, 1);
    const results = [];
    for (let first = 0; first < texts.length; first += size) {
      const portion = texts.slice(first, first + size);
      results.push(await this.#answered((library) => library.probeMany(this.#rules, first, portion)));
    }
    return results.flat();
  }

  /** The legal moves with their values for the mover, best first. */
  async moves(board) {
    return (await this.#ask("probe", { board: notation(board) })).moves;
  }

  /** The legal moves, by pit. */
  async legalMoves(board) {
    return (await this.#ask("moves", { board: notation(board) })).moves;
  }

  /** The effect of a move: a pit from 0 to 5. */
  async play(board, pit) {
    const { moves, illegal } = await this.#ask("moves", { board: notation(board) });
    const played = moves.find((move) => move.pit === pit);
    if (played) return played;
    throw new KrouError("move", { error: illegal[pit] ?? `there is no pit ${pit} to play: the mover's pits are 0 to 5`, pit });
  }

  /** The best play from a board on, at most so many plies. */
  async bestLine(board, { plies = DEFAULT_PLIES } = {}) {
    const { letters, end, line } = await this.#ask("mainline", { board: notation(board), plies });
    return { letters, end, line };
  }

  /** The engine's view of a board. */
  async analyse(board, { depth, movetime, lines, onInfo, signal } = {}) {
    signal?.throwIfAborted();
    const engine = await this.#engine();
    signal?.throwIfAborted();
    const parameters = given({ start: notation(board), depth, movetime, lines });
    return report(engine.analyse(this.#rules, parameters, (info) => {
      onInfo?.(report(info));
      signal?.throwIfAborted();
    }));
  }

  /** Solves the layers up to a number of seeds that the given files lack, and adds them to
   * these tables. Returns the new tables. */
  async build(seeds, { onProgress, onLayer, signal } = {}) {
    signal?.throwIfAborted();
    const engine = await this.#engine();
    checkSeeds(seeds, engine.maxBuildSeeds());
    const built = [];
    try {
      for (const tables of engine.build(this.#rules, seeds, this.#tables, (told) => onProgress?.(told))) {
        built.push(...tables);
        if (tables.length > 0) onLayer?.(tables);
        await nextTask();
        signal?.throwIfAborted();
      }
    } finally {
      this.#tables.push(...built.map(({ bytes }) => bytes));
      for (const library of [this.#probing, engine]) library.setTables(this.#rules, this.#tables);
    }
    return built;
  }

  /** Frees the memory of the tables. Calls fail from now on. */
  close() {
    this.#probing.free();
    this.#full?.then((library) => library.free(), () => {});
  }
}

// Folders of tables on this machine, in Node.js: read by ranges, as those of a web host, which
// completes them.

import { KrouError } from "./library/error.js";

/** The bytes at the start of a file that say what it is. */
const HEADER = 128;
/** Not a part of the import itself, since bundlers for browsers look for it. */
const NODE_FILES = "node:fs/promises";

/** Runs work with the system's files; what goes wrong there is an error of this folder or file. */
async function withFiles(place, work) {
  try {
    return await work(await import(/* webpackIgnore: true */ /* @vite-ignore */ NODE_FILES));
  } catch (error) {
    if (error instanceof KrouError) throw error;
    throw new KrouError("folder", { error: `${place} cannot be read: ${error.message}`, place: String(place) });
  }
}

/** The bytes of a file from `start` to `end`. */
function readRange(path, start, end) {
  return withFiles(path, async ({ open }) => {
    const file = await open(path);
    try {
      const bytes = new Uint8Array(end - start);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
      if (bytesRead === bytes.length) return bytes;
      throw new KrouError("changed", { error: `${path}: the file has changed` });
    } finally {
      await file.close();
    }
  });
}

/** What an index says about a file. */
function entryOf(name, path) {
  return withFiles(path, async ({ stat }) => {
    const { size } = await stat(path);
    const header = await readRange(path, 0, Math.min(size, HEADER));
    const digits = Array.from(header, (byte) => byte.toString(16).padStart(2, "0"));
    // The sum is for stores of what hosts have sent.
    return { name, bytes: size, sha256: "", header: digits.join("") };
  });
}

export class Folders {
  /** The files of the folders by name: what an index says about each, and its path. */
  #files = new Map();
  #host;

  /** The tables in some folders, the first folder first; then those of a `Host`, or null. */
  static async open(folders, host) {
    const opened = new Folders();
    opened.#host = host;
    for (const folder of folders) {
      const names = await withFiles(folder, ({ readdir }) => readdir(folder));
      for (const name of names.filter((name) => name.endsWith(".krou") && !opened.#files.has(name))) {
        const path = `${folder}/${name}`;
        opened.#files.set(name, { path, entry: await entryOf(name, path) });
      }
    }
    return opened;
  }

  files() {
    const others = this.#host?.files().filter(({ name }) => !this.#files.has(name)) ?? [];
    return [...Array.from(this.#files.values(), ({ entry }) => entry), ...others];
  }

  index() {
    return JSON.stringify({ tables: this.files() });
  }

  /** The bytes of ranges, in order: see `Host.read`. */
  async read(ranges, join) {
    const isHere = ({ file }) => this.#files.has(file);
    const [here, sent] = await Promise.all([
      Promise.all(ranges.filter(isHere).map(({ file, start, end }) => readRange(this.#files.get(file).path, start, end))),
      this.#host?.read(ranges.filter((range) => !isHere(range)), join),
    ]);
    return ranges.map((range) => (isHere(range) ? here : sent).shift());
  }

  /** Forgets what is stored of a file of the host, whose bytes were wrong. */
  async forget(file) {
    if (!this.#files.has(file)) await this.#host.forget(file);
  }
}

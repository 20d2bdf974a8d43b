// Ranges of tables that a browser keeps, in IndexedDB: by the hash of their table, so that an
// updated table is never mixed with an old one. A browser that stores nothing has no ranges.

import { Database, finished, visitAll } from "./database.js";

/** How many ranges before a place are looked at for one that reaches over it. */
const MOST_BEFORE = 64;
/** The most bytes that are kept. */
const MOST_BYTES = 256 << 20;

export class RangeStore {
  #database = new Database("krou-ranges", "ranges", (base) => {
    base.createObjectStore("ranges", { keyPath: ["hash", "start"] }).createIndex("age", ["time", "size"]);
  });
  #most;
  /** The bytes that are kept; null until they have been counted. */
  #total = null;

  constructor(most = MOST_BYTES) {
    this.#most = most;
  }

  /** The bytes of a range; null if they are not kept. */
  async read(hash, start, end) {
    try {
      const before = IDBKeyRange.bound([hash, 0], [hash, start]);
      let [found, left] = [null, MOST_BEFORE];
      await this.#database.transact("readonly", (store) => visitAll(store.openCursor(before, "prev"), ({ value }) => {
        if (value.start + value.size >= end) found = value.bytes.subarray(start - value.start, end - value.start);
        left -= 1;
        return found === null && left > 0;
      }));
      return found;
    } catch {
      return null;
    }
  }

  /** Keeps the bytes of a range, and drops the oldest beyond the limit. */
  async write(hash, start, bytes) {
    try {
      await this.#database.transact("readwrite", async (store) => {
        this.#total ??= await this.#count(store);
        await finished(store.put({ hash, start, bytes, size: bytes.length, time: Date.now() }));
        this.#total += bytes.length;
        if (this.#total > this.#most) await this.#drop(store);
      }, "relaxed");
    } catch {
      this.#total = null;
    }
  }

  /** The bytes that are kept under this name alone; null if there are none. */
  async whole(name) {
    try {
      const kept = await this.#database.transact("readonly", (store) => finished(store.get([name, 0])));
      return kept?.bytes ?? null;
    } catch {
      return null;
    }
  }

  /** Keeps bytes under a name of their own, in place of those before. */
  async replace(name, bytes) {
    await this.remove(name);
    await this.write(name, 0, bytes);
  }

  /** Removes all ranges of a table. */
  async remove(hash) {
    this.#total = null;
    try {
      const all = IDBKeyRange.bound([hash, 0], [hash, Infinity]);
      await this.#database.transact("readwrite", (store) => finished(store.delete(all)));
    } catch {
      // Nothing is kept.
    }
  }

  async #count(store) {
    let total = 0;
    await visitAll(store.index("age").openKeyCursor(), ({ key: [, size] }) => { total += size; });
    return total;
  }

  /** Drops the oldest tenth. */
  #drop(store) {
    return visitAll(store.index("age").openKeyCursor(), ({ key: [, size], primaryKey }) => {
      if (this.#total <= 0.9 * this.#most) return false;
      this.#total -= size;
      store.delete(primaryKey);
      return true;
    });
  }
}

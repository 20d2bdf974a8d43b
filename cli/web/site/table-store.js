// The tables that were solved in this browser, in IndexedDB: one record for each file.

import { AnswerError } from "../answer-error.js";

const NAME = "krou-tables";
const STORE = "tables";

/** A storage error as an error of an answer. */
function failure(error) {
  return new AnswerError("storage", { error: error?.message ?? "", name: error?.name });
}

/** The result of a request. */
function finished(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(failure(request.error));
  });
}

let opened = null;

/** The database, opened once. */
function database() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(STORE, { keyPath: "name" }).createIndex("rules", "rules");
    };
    request.onsuccess = () => {
      // Another page may need a newer version, or the browser may end the connection.
      request.result.onversionchange = () => request.result.close();
      request.result.onclose = () => { opened = null; };
      resolve(request.result);
    };
    request.onerror = () => reject(failure(request.error));
  }).catch((error) => {
    opened = null;
    throw error instanceof AnswerError ? error : failure(error);
  });
  return opened;
}

/** Runs work on the store in one transaction, which is complete when the promise is kept. */
async function transact(mode, work) {
  const base = await database();
  let transaction;
  try {
    transaction = base.transaction(STORE, mode, { durability: "strict" });
  } catch (error) {
    opened = null;
    throw failure(error);
  }
  const done = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(failure(transaction.error));
  });
  done.catch(() => {});
  const result = await work(transaction.objectStore(STORE));
  await done;
  return result;
}

/** The files of a ruleset, as bytes. */
export async function read(rules) {
  const records = await transact("readonly", (store) => finished(store.index("rules").getAll(rules)));
  return records.map(({ bytes }) => bytes);
}

/** Stores the tables of a layer, all or none: `{ name, rules, seeds, bytes }`. */
export function write(tables) {
  return transact("readwrite", (store) => Promise.all(tables.map((table) => finished(store.put(table)))));
}

/** Removes the tables of a ruleset. */
export async function remove(rules) {
  await transact("readwrite", async (store) => {
    const names = await finished(store.index("rules").getAllKeys(rules));
    await Promise.all(names.map((name) => finished(store.delete(name))));
  });
}

/** For each ruleset with stored tables: its name, the highest layer and the bytes. */
export async function summary() {
  const found = new Map();
  await transact("readonly", (store) => new Promise((resolve, reject) => {
    const request = store.openCursor();
    request.onerror = () => reject(failure(request.error));
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor) return resolve();
      const { rules, seeds, bytes } = cursor.value;
      const before = found.get(rules) ?? { rules, seeds: 0, bytes: 0 };
      found.set(rules, { rules, seeds: Math.max(before.seeds, seeds), bytes: before.bytes + bytes.length });
      return cursor.continue();
    };
  }));
  return [...found.values()];
}

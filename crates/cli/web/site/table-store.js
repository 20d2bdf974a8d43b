// The tables that were solved in this browser, in IndexedDB: one record for each file.

import { Database, finished, visitAll } from "../library/database.js";

const database = new Database("krou-tables", "tables", (base) => {
  base.createObjectStore("tables", { keyPath: "name" }).createIndex("rules", "rules");
});

/** The files of a ruleset, as bytes. */
export async function read(rules) {
  const records = await database.transact("readonly", (store) => finished(store.index("rules").getAll(rules)));
  return records.map(({ bytes }) => bytes);
}

/** Stores the tables of a layer, all or none: `{ name, rules, seeds, bytes }`. */
export function write(tables) {
  return database.transact("readwrite", (store) => Promise.all(tables.map((table) => finished(store.put(table)))));
}

/** Removes the tables of a ruleset. */
export async function remove(rules) {
  await database.transact("readwrite", async (store) => {
    const names = await finished(store.index("rules").getAllKeys(rules));
    await Promise.all(names.map((name) => finished(store.delete(name))));
  });
}

/** For each ruleset with stored tables: its name, the highest layer and the bytes. */
export async function summary() {
  const found = new Map();
  await database.transact("readonly", (store) => visitAll(store.openCursor(), ({ value }) => {
    const { rules, seeds, bytes } = value;
    const before = found.get(rules) ?? { rules, seeds: 0, bytes: 0 };
    found.set(rules, { rules, seeds: Math.max(before.seeds, seeds), bytes: before.bytes + bytes.length });
  }));
  return [...found.values()];
}

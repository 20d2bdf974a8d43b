// A database of the browser with one store (IndexedDB).

import { KrouError } from "./error.js";

/** A storage error as an error of an answer. */
function failure(error) {
  return new KrouError("storage", { error: error?.message ?? "", name: error?.name });
}

/** The result of a request. */
export function finished(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(failure(request.error));
  });
}

/** Calls `visit` with each cursor of a request until it returns false. */
export function visitAll(request, visit) {
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(failure(request.error));
    request.onsuccess = () => {
      const cursor = request.result;
      if (cursor && visit(cursor) !== false) cursor.continue();
      else resolve();
    };
  });
}

export class Database {
  /** `create` makes the store of a new database. */
  constructor(name, store, create) {
    this.name = name;
    this.store = store;
    this.create = create;
    this.opened = null;
  }

  /** The database, opened once. */
  open() {
    this.opened ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(this.name, 1);
      request.onupgradeneeded = () => this.create(request.result);
      request.onsuccess = () => {
        // Another page may need a newer version, or the browser may end the connection.
        request.result.onversionchange = () => request.result.close();
        request.result.onclose = () => { this.opened = null; };
        resolve(request.result);
      };
      request.onerror = () => reject(failure(request.error));
    }).catch((error) => {
      this.opened = null;
      throw error instanceof KrouError ? error : failure(error);
    });
    return this.opened;
  }

  /** Runs work on the store in one transaction, which is complete when the promise is kept. */
  async transact(mode, work, durability = "strict") {
    const base = await this.open();
    let transaction;
    try {
      transaction = base.transaction(this.store, mode, { durability });
    } catch (error) {
      this.opened = null;
      throw failure(error);
    }
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(failure(transaction.error));
    });
    done.catch(() => {});
    const result = await work(transaction.objectStore(this.store));
    await done;
    return result;
  }
}

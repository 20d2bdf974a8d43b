// Tables on a web host: ranges of their files, fetched together and checked. A host needs a
// file `krou-index.json` beside the tables, and must answer requests for ranges.

import { KrouError } from "./error.js";

const INDEX = "krou-index.json";
/** The longest index, in bytes. */
const LONGEST_INDEX = 4 << 20;
/** Requests at a time. */
const MOST_REQUESTS = 6;
/** How long an answer may take, in milliseconds. */
const TIME = 20_000;

/** The error of an answer from an address. */
function failure(code, address, why) {
  return new KrouError(code, { error: `${address}: ${why}`, address: String(address) });
}

/** Refuses an address that others on the way could change. */
function checkAddress(address, insecure) {
  const { protocol, hostname, origin } = new URL(address);
  if (protocol === "https:") return;
  if (protocol !== "http:") throw failure("insecure", address, "an address must begin with https://");
  const loopback = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (insecure || loopback || origin === globalThis.location?.origin) return;
  throw failure("insecure", address, "the connection would not be encrypted: use https, or allow it with 'insecure'");
}

/** The bytes of an answer, which must not be more than so many. */
async function body(response, most) {
  const bytes = new Uint8Array(most);
  let length = 0;
  const reader = response.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) return bytes.subarray(0, length);
    if (length + value.length > most) {
      reader.cancel().catch(() => {});
      throw failure("host", response.url, `the answer has more than ${most} bytes`);
    }
    bytes.set(value, length);
    length += value.length;
  }
  return bytes.subarray(0, 0);
}

export class Host {
  #base;
  #insecure;
  #store;
  #time;
  /** The files of the index by name. */
  #files = new Map();
  /** What the host called the version of each file that has been read. */
  #tags = new Map();
  #running = 0;
  #waiting = [];

  /** Reads the index of a folder at this address. `insecure` allows addresses without
   * encryption; `store` keeps ranges: see `range-store.js`. */
  static async open(address, { insecure = false, store = null, time = TIME } = {}) {
    const host = new Host();
    host.#base = new URL(String(address).replace(/\/*$/, "/"), globalThis.location?.href);
    host.#insecure = insecure;
    host.#store = store;
    host.#time = time;
    for (const file of await host.#index()) host.#files.set(file.name, file);
    return host;
  }

  /** The files of the host: `{ name, bytes, sha256 }`. */
  files() {
    return [...this.#files.values()];
  }

  /** The bytes of ranges `{ file, start, end }`: a file by its name, the first byte and the one
   * after the last. The ranges that are not stored are fetched together. */
  read(ranges) {
    return Promise.all(ranges.map(async (range) => {
      const { file, start, end } = range;
      const { sha256 } = this.#files.get(file);
      const stored = await this.#store?.read(sha256, start, end);
      if (stored) return stored;
      const bytes = await this.#inTurn(() => this.#range(range));
      this.#store?.write(sha256, start, bytes);
      return bytes;
    }));
  }

  /** Forgets what is stored of a file, whose bytes were wrong. */
  async forget(file) {
    await this.#store?.remove(this.#files.get(file).sha256);
  }

  /** Runs work once fewer requests are under way. */
  async #inTurn(work) {
    if (this.#running < MOST_REQUESTS) this.#running += 1;
    else await new Promise((resolve) => { this.#waiting.push(resolve); });
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  /** Requests a file. `use` gets the answer, and has to read it in time. */
  async #request(name, headers, use) {
    const address = new URL(name, this.#base);
    checkAddress(address, this.#insecure);
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), this.#time);
    try {
      // A browser lets a request for the same address wait for the first one, unless neither is
      // stored.
      const options = { headers, signal: controller.signal, cache: "no-store", credentials: "omit" };
      const response = await fetch(address, options);
      checkAddress(response.url, this.#insecure);
      try {
        return await use(response, address);
      } catch (error) {
        response.body?.cancel().catch(() => {});
        throw error;
      }
    } catch (error) {
      if (error instanceof KrouError) throw error;
      if (controller.signal.aborted) throw failure("timeout", address, `no answer within ${this.#time / 1000} s`);
      throw failure("no-connection", address, `no connection (${error.cause?.message ?? error.message})`);
    } finally {
      clearTimeout(timer);
    }
  }

  #index() {
    return this.#request(INDEX, {}, async (response, address) => {
      if (!response.ok) {
        throw failure("no-index", address, `status ${response.status}: 'krou index' writes this file beside tables`);
      }
      const bytes = await body(response, LONGEST_INDEX);
      try {
        const { tables } = JSON.parse(new TextDecoder().decode(bytes));
        if (tables.every(({ name, bytes, sha256 }) => /^\w[\w+.-]*$/.test(name) && bytes > 0 && sha256)) return tables;
      } catch {
        // The error is below.
      }
      throw failure("no-index", address, "this is not an index: write it anew with 'krou index'");
    });
  }

  #range({ file, start, end }) {
    return this.#request(file, { range: `bytes=${start}-${end - 1}` }, async (response, address) => {
      this.#check(response, address, { file, start, end });
      const bytes = await body(response, end - start);
      if (bytes.length < end - start) {
        throw failure("host", address, `the answer has ${bytes.length} bytes instead of ${end - start}`);
      }
      return bytes;
    });
  }

  /** Checks that an answer has this range of the file that the index describes. */
  #check(response, address, { file, start, end }) {
    const changed = () => failure("changed", address, "this is not the file of the index: it has changed");
    if (response.status === 416) throw changed();
    if (response.status === 200) throw failure("no-ranges", address, "the host answers with the whole file: it must support ranges");
    if (response.status !== 206) throw failure("host", address, `status ${response.status}`);
    // Other origins need not show their headers. The blocks of tables have checks of their own.
    const shown = response.headers.get("content-range");
    const [, first, last, length] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(shown ?? "") ?? [];
    if (shown === null ? response.type !== "cors" : Number(first) !== start || Number(last) !== end - 1) {
      throw failure("host", address, `the answer is another range: ${shown}`);
    }
    if (shown !== null && length !== "*" && Number(length) !== this.#files.get(file).bytes) throw changed();
    const tag = response.headers.get("etag");
    const before = this.#tags.get(file) ?? tag;
    if (tag !== null && tag !== before) throw changed();
    this.#tags.set(file, before);
  }
}

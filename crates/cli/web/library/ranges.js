// Tables on a web host: ranges of their files, fetched together and checked. A host needs a
// file `krou-index.json` beside the tables, and must answer requests for ranges.

import { KrouError } from "./error.js";

const INDEX = "krou-index.json";
/** The longest index, in bytes. */
const LONGEST_INDEX = 4 << 20;
/** Requests at a time. */
const MOST_REQUESTS = 32;
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

/** The codes of errors without an answer. */
const OFFLINE = ["no-connection", "timeout"];

function contains(request, { file, start, end }) {
  return request.file === file && request.start <= start && end <= request.end;
}

export class Host {
  #base;
  #insecure;
  #store;
  #time;
  #onFetch;
  /** The files of the index by name. */
  #files = new Map();
  /** What the host called the version of each file that has been read. */
  #tags = new Map();
  #running = 0;
  #waiting = [];

  /** Reads the index of a folder at this address. `insecure` allows addresses without
   * encryption; `store` keeps ranges: see `range-store.js`. `onFetch` hears what has been fetched
   * after each request: `{ requests, bytes }`. */
  static async open(address, { insecure = false, store = null, time = TIME, onFetch = () => {} } = {}) {
    const host = new Host();
    host.#base = new URL(String(address).replace(/\/*$/, "/"), globalThis.location?.href);
    host.#insecure = insecure;
    host.#store = store;
    host.#time = time;
    host.#onFetch = onFetch;
    for (const file of await host.#readIndex()) host.#files.set(file.name, file);
    return host;
  }

  /** The files of the host: `{ name, bytes, sha256 }`. */
  files() {
    return [...this.#files.values()];
  }

  /** The index as text. */
  index() {
    return JSON.stringify({ tables: this.files() });
  }

  /** What has been fetched: requests and bytes. */
  fetched = { requests: 0, bytes: 0 };

  /** The bytes of ranges `{ file, start, end }`, in order: a file by its name, the first byte
   * and the one after the last. The ranges that are not stored are fetched together; `join`
   * returns larger ranges that contain them. */
  async read(ranges, join = (separate) => separate) {
    const stored = await Promise.all(ranges.map((range) => this.#stored(range)));
    const requests = join(ranges.filter((_, i) => stored[i] === null));
    const fetched = await Promise.all(requests.map((request) => this.#fetch(request)));
    return ranges.map((range, i) => {
      if (stored[i] !== null) return stored[i];
      const place = requests.findIndex((request) => contains(request, range));
      const offset = range.start - requests[place].start;
      const bytes = fetched[place].slice(offset, offset + range.end - range.start);
      this.#store?.write(this.#files.get(range.file).sha256, range.start, bytes);
      return bytes;
    });
  }

  /** The stored bytes of a range, or null. The first bytes of a file always come from the host:
   * they tell whether the file is still that of the index. */
  async #stored({ file, start, end }) {
    if (start === 0 || !this.#store) return null;
    return (await this.#store.read(this.#files.get(file).sha256, start, end)) ?? null;
  }

  async #fetch(range) {
    try {
      const bytes = await this.#inTurn(() => this.#range(range));
      this.fetched.requests += 1;
      this.fetched.bytes += bytes.length;
      this.#onFetch(this.fetched);
      return bytes;
    } catch (error) {
      // Without a connection what is stored is all there is.
      const { sha256 } = this.#files.get(range.file);
      const stored = OFFLINE.includes(error.code) && await this.#store?.read(sha256, range.start, range.end);
      if (stored) return stored;
      throw error;
    }
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

  /** The files of the index; without a connection those of the stored one. */
  async #readIndex() {
    const key = `index ${this.#base}`;
    try {
      const bytes = await this.#requestIndex();
      this.#store?.replace(key, bytes);
      return this.#parse(bytes);
    } catch (error) {
      const stored = OFFLINE.includes(error.code) && await this.#store?.whole(key);
      if (stored) return this.#parse(stored);
      throw error;
    }
  }

  #requestIndex() {
    return this.#request(INDEX, {}, async (response, address) => {
      if (!response.ok) {
        throw failure("no-index", address, `status ${response.status}: 'krou index' writes this file beside tables`);
      }
      return body(response, LONGEST_INDEX);
    });
  }

  #parse(bytes) {
    try {
      const { tables } = JSON.parse(new TextDecoder().decode(bytes));
      if (tables.every(({ name, bytes, sha256 }) => /^\w[\w+.-]*$/.test(name) && bytes > 0 && sha256)) return tables;
    } catch {
      // The error is below.
    }
    const address = new URL(INDEX, this.#base);
    throw failure("no-index", address, "this is not an index: write it anew with 'krou index'");
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

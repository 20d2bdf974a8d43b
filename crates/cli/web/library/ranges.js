// Tables on a web host: ranges of their files, fetched together and checked. A host needs a
// file `krou-index.json` beside the tables, and must answer requests for ranges.

import { KrouError } from "./error.js";

const INDEX = "krou-index.json";
/** The longest index, in bytes. */
const LONGEST_INDEX = 4 << 20;
/** Requests at a time. */
const MOST_REQUESTS = 32;
/** How long a host may be silent, in milliseconds: less than a KiB in that time is silence. Then it
 * is left alone for a minute. */
const TIME = 30_000;
const LEAST = 1 << 10;
const REST = 60_000;
/** How often a request is made while the host is busy, the pause if it names none, and the longest
 * one that it may name, in milliseconds. */
const TRIES = 4;
const PAUSE = 250;
const LONGEST_PAUSE = 30_000;
/** How often the header of a file is read to hear what each machine of a host calls its version. */
const MACHINES = 8;
const HEADER = 128;
/** The newest version of an index that is read. */
const VERSION = 1;

/** The error of an answer from an address. */
function failure(code, address, why) {
  return new KrouError(code, { error: `${address}: ${why}`, address: String(address) });
}

function changed(address) {
  return failure("changed", address, "this is not the file of the index: it has changed");
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

/** The bytes of an answer, which must not be more than so many; `onBytes` hears of each part. */
async function body(response, most, onBytes) {
  const bytes = new Uint8Array(most);
  let length = 0;
  const reader = response.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) return bytes.subarray(0, length);
    onBytes(value.length);
    if (length + value.length > most) {
      reader.cancel().catch(() => {});
      throw failure("host", response.url, `the answer has more than ${most} bytes`);
    }
    bytes.set(value, length);
    length += value.length;
  }
  return bytes.subarray(0, 0);
}

/** How long a busy host wants to be left alone, in milliseconds; null if it is not busy, or wants too
 * long. */
function pause({ status, headers }) {
  if (status < 500 && status !== 429) return null;
  const named = headers.get("retry-after");
  const time = /^\d+$/.test(named ?? "") ? Number(named) * 1000 : PAUSE;
  return time <= LONGEST_PAUSE ? time : null;
}

/** Whether bytes are those of hexadecimal digits. */
function isHeader(bytes, digits) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") === digits?.toLowerCase();
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
  /** What the machines of the host call the version of each file that has been read. */
  #tags = new Map();
  /** When the host was silent. */
  #silentAt = -Infinity;
  #running = 0;
  #waiting = [];

  /** Reads the index of a folder at this address. `insecure` allows addresses without
   * encryption; `store` keeps ranges: see `range-store.js`. `onFetch` hears what has been fetched
   * after each request: `{ requests, bytes }`. */
  static async open(address, { insecure = false, store = null, time = TIME, onFetch = () => {} } = {}) {
    const host = new Host();
    try {
      host.#base = new URL(String(address).replace(/\/*$/, "/"), globalThis.location?.href);
    } catch {
      throw failure("parameter", address, "this is not an address: write 'https://HOST/FOLDER/'");
    }
    // They are not sent, and must not be shown.
    [host.#base.username, host.#base.password] = ["", ""];
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

  /** Requests a file, again after a pause while the host is busy. `use` gets the answer. */
  async #request(name, headers, use) {
    for (let tries = 1; ; tries += 1) {
      const wait = await this.#requestOnce(name, headers, async (response, address, onBytes) => {
        const time = tries < TRIES ? pause(response) : null;
        if (time === null) return { used: await use(response, address, onBytes) };
        response.body?.cancel().catch(() => {});
        return time;
      });
      if (typeof wait !== "number") return wait.used;
      await new Promise((resolve) => { setTimeout(resolve, wait); });
    }
  }

  /** Requests a file. `use` gets the answer, and has to tell of its bytes: they must make progress. */
  async #requestOnce(name, headers, use) {
    const address = new URL(name, this.#base);
    checkAddress(address, this.#insecure);
    if (performance.now() < this.#silentAt + REST) {
      throw failure("timeout", address, "the host was silent, and is asked again after a minute");
    }
    const controller = new AbortController();
    let [timer, received] = [0, LEAST];
    const onBytes = (bytes) => {
      received += bytes;
      if (received < LEAST) return;
      received = 0;
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(), this.#time);
    };
    onBytes(0);
    try {
      // A browser lets a request for the same address wait for the first one, unless neither is
      // stored.
      const options = { headers, signal: controller.signal, cache: "no-store", credentials: "omit" };
      const response = await fetch(address, options);
      checkAddress(response.url, this.#insecure);
      try {
        return await use(response, address, onBytes);
      } catch (error) {
        response.body?.cancel().catch(() => {});
        throw error;
      }
    } catch (error) {
      if (error instanceof KrouError) throw error;
      if (controller.signal.aborted) {
        this.#silentAt = performance.now();
        throw failure("timeout", address, `no answer within ${this.#time / 1000} s`);
      }
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
    return this.#request(INDEX, {}, async (response, address, onBytes) => {
      if (!response.ok) {
        throw failure("no-index", address, `status ${response.status}: 'krou index' writes this file beside tables`);
      }
      return body(response, LONGEST_INDEX, onBytes);
    });
  }

  #parse(bytes) {
    const address = new URL(INDEX, this.#base);
    let index = {};
    try {
      index = JSON.parse(new TextDecoder().decode(bytes)) ?? {};
    } catch {
      // The error is below.
    }
    const { version = 0, tables } = index;
    if (version > VERSION) throw failure("no-index", address, "the index is of a newer krou: update krou");
    const isTable = ({ name, bytes, sha256 }) => /^\w[\w+.-]*$/.test(name) && bytes > 0 && typeof sha256 === "string";
    if (!Array.isArray(tables) || !tables.every((table) => table && isTable(table))) {
      throw failure("no-index", address, "this is not an index: write it anew with 'krou index'");
    }
    return tables.map((table) => ({ ...table, sha256: table.sha256.toLowerCase() }));
  }

  /** The bytes of a range of the file that the index describes. The first version is the one whose
   * header the table reads; another one may be what another machine of the host calls the same
   * file, if it has the header of the index. */
  async #range(range) {
    const { bytes, tag, address } = await this.#anyRange(range);
    const known = this.#tags.get(range.file) ?? [];
    this.#tags.set(range.file, known);
    if (tag !== null && known.length === 0) known.push(tag);
    for (let tries = 0; tag !== null && !known.includes(tag); tries += 1) {
      const header = await this.#anyRange({ file: range.file, start: 0, end: HEADER });
      if (tries === MACHINES || !isHeader(header.bytes, this.#files.get(range.file).header)) {
        throw changed(address);
      }
      known.push(header.tag);
    }
    return bytes;
  }

  /** The bytes of a range, and what the host calls the version of the file. */
  #anyRange({ file, start, end }) {
    return this.#request(file, { range: `bytes=${start}-${end - 1}` }, async (response, address, onBytes) => {
      this.#check(response, address, { file, start, end });
      const bytes = await body(response, end - start, onBytes);
      if (bytes.length < end - start) {
        throw failure("host", address, `the answer has ${bytes.length} bytes instead of ${end - start}`);
      }
      return { bytes, tag: response.headers.get("etag"), address };
    });
  }

  /** Checks that an answer has this range of a file of this length. */
  #check(response, address, { file, start, end }) {
    if (response.status === 416) throw changed(address);
    if (response.status === 200) throw failure("no-ranges", address, "the host answers with the whole file: it must support ranges");
    if (response.status !== 206) throw failure("host", address, `status ${response.status}`);
    // Other origins need not show their headers. The blocks of tables have checks of their own.
    const shown = response.headers.get("content-range");
    const [, first, last, length] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(shown ?? "") ?? [];
    if (shown === null ? response.type !== "cors" : Number(first) !== start || Number(last) !== end - 1) {
      throw failure("host", address, `the answer is another range: ${shown}`);
    }
    if (shown !== null && length !== "*" && Number(length) !== this.#files.get(file).bytes) throw changed(address);
  }
}

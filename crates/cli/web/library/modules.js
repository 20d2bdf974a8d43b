// Loads the modules and the tables of this folder, in browsers and in Node.js.

import { KrouError } from "./error.js";

/** The first byte of a file in the format of gzip, of a module, and of tables. */
const GZIP = 0x1f;
const MODULE = 0x00;
const TABLE = 0x8f;
/** Not a part of the import itself, since bundlers for browsers look for it. */
const NODE_FILES = "node:fs/promises";

/** The bytes of a file, which must begin with one of these. */
async function load(address, first, options) {
  if (address.protocol === "file:") {
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ NODE_FILES);
    return readFile(address);
  }
  const response = await fetch(address, options);
  if (!response.ok) {
    throw new KrouError("no-connection", { error: `${address}: status ${response.status}`, status: response.status });
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  // Servers and bundlers may have a page for whatever they do not find.
  if (first.includes(bytes[0])) return bytes;
  const type = response.headers.get("content-type");
  throw new KrouError("no-connection", { error: `${address} is another file (${type}): the server must have krou's` });
}

/** Compiles a module, which is stored with gzip; a server may have said so, and then the
 * browser has unpacked it. */
async function compile(address, options) {
  const bytes = await load(address, [GZIP, MODULE], options);
  if (bytes[0] !== GZIP) return WebAssembly.compile(bytes);
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
}

/** The rulesets with built-in tables. Bundlers look for each address. */
const TABLES = {
  abapa: () => load(new URL("./tables-abapa.bin", import.meta.url), [TABLE]),
  awari: () => load(new URL("./tables-awari.bin", import.meta.url), [TABLE]),
};

/** The names of the rulesets with built-in tables. */
export const BUILT_IN = Object.keys(TABLES);

/** The built-in tables of these rulesets: their files, one after another. */
export async function loadTables(rulesets = BUILT_IN) {
  const files = await Promise.all(rulesets.map((rules) => TABLES[rules]()));
  return new Uint8Array(await new Blob(files).arrayBuffer());
}

/** The module that plays by the rules and probes; its glue is `krou-probe.js`. */
export const loadProbing = () => compile(new URL("./krou-probe.wasm.gz", import.meta.url));

/** The module that searches and solves as well; its glue is `krou.js`. `options` are those of
 * `fetch`. */
export const loadFull = (options) => compile(new URL("./krou.wasm.gz", import.meta.url), options);

// Compares the modules of the page without a server with krou itself, under Node.js: the
// tables that `krou` solves, byte by byte, and the answers of both, letter by letter, with
// those of a server. scripts/test-platforms runs it:
//
//     node bindings/wasm/tests/answers.mjs MODULES TABLES SERVER
//
// MODULES is a folder that scripts/build-wasm has written, with the glue as `.mjs`; TABLES one
// that krou has built, SERVER the address of a krou that serves it.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const [modules, folder, server] = process.argv.slice(2);

/** A module with its glue. */
async function library(name) {
  const glue = await import(pathToFileURL(join(modules, `${name}.mjs`)));
  glue.initSync({ module: gunzipSync(readFileSync(join(modules, `${name}.wasm.gz`))) });
  return glue;
}

const full = await library("krou");
const probing = await library("krou-probe");

/** Ends the program if a comparison fails. */
function check(equal, what) {
  if (!equal) {
    console.error(`wasm: ${what} differs`);
    process.exit(1);
  }
}

/** The highest layer that the folder has of each ruleset. */
function built() {
  const layers = new Map();
  for (const file of readdirSync(folder)) {
    const found = /^(.+)-(\d\d)\.value\.krou$/.exec(file);
    if (found) layers.set(found[1], Math.max(Number(found[2]), layers.get(found[1]) ?? 0));
  }
  return layers;
}

/** Solves all layers; each table must be equal to that of the folder. Returns them. */
function solve(rules, seeds) {
  const build = new full.Build(rules, seeds, []);
  const tables = [];
  let told = 0;
  while (build.next_seeds() !== undefined) {
    for (const [name, , bytes] of build.step(() => { told += 1; })) {
      check(Buffer.compare(readFileSync(join(folder, name)), bytes) === 0, name);
      tables.push(bytes);
    }
  }
  check(told > 0, `the progress of ${rules}`);
  build.free();
  return tables;
}

/** Numbers that look random, below `limit`; the same in each run (mulberry32). */
function randomNumbers(seed) {
  return (limit) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let n = Math.imul(seed ^ (seed >>> 15), seed | 1);
    n ^= n + Math.imul(n ^ (n >>> 7), n | 61);
    return ((n ^ (n >>> 14)) >>> 0) % limit;
  };
}

/** Boards with up to two seeds more than the tables have, and some texts that are none. */
function boards(rules, seeds) {
  const random = randomNumbers(rules.length + 1);
  const texts = ["", "1 2 3", "48 1 0 0 0 0 0 0 0 0 0 0", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"];
  for (let n = 0; n < 300; n += 1) {
    const pits = new Array(12).fill(0);
    for (let left = random(seeds + 3); left > 0; left -= 1) pits[random(12)] += 1;
    texts.push(pits.join(" "));
  }
  return texts;
}

/** What is asked about a ruleset: the last part of a path and its parameters. */
function questions(rules, seeds) {
  const asked = [];
  for (const board of boards(rules, seeds)) {
    asked.push([undefined, { board }], ["probe", { board }], ["mainline", { board, plies: 20 }]);
  }
  for (const moves of ["", "Fe", "Fef", "AaZ"]) {
    asked.push(["game", { moves }], ["ogn", { moves }]);
    for (const level of [1, 4, 7]) {
      for (const seed of [1, 2]) asked.push(["reply", { moves, opponent: "engine", level, seed }]);
    }
    asked.push(["reply", { moves, opponent: "expert" }]);
  }
  // Stronger opponents may need more time than they get, except inside the tables.
  const start = "0-1-1-0-1-1-0-1-0-1-1-0-20-21-S";
  for (const seed of [1, 2, 3]) asked.push(["reply", { start, opponent: "perfect", seed }]);
  asked.push(["probe", {}], ["probe", { board: "", other: 1 }]);
  return asked;
}

/** The text of an answer, or of an error, which is thrown. */
function answer(answers, rules, what, parameters) {
  const given = JSON.stringify(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
  try {
    const text = answers.answer(rules, what, given);
    // A record is a text inside JSON, because all answers are.
    return what === "ogn" ? JSON.parse(text) : text;
  } catch (error) {
    if (typeof error !== "string") throw error;
    return error;
  }
}

const supplied = Buffer.concat(["abapa", "awari"].map((rules) => readFileSync(join(modules, `tables-${rules}.bin`))));
const answers = [full, probing].map(({ Answers }) => new Answers(supplied));
let files = 0;
for (const [rules, seeds] of built()) {
  const tables = solve(rules, seeds);
  files += tables.length;
  for (const one of answers) {
    const damaged = one.set_tables(rules, tables);
    check(damaged.length === 0, `a table that the module has solved (${damaged})`);
  }
}
// Not before all is solved: meanwhile the server would close the connection.
let compared = 0;
for (const [rules, seeds] of built()) {
  for (const [what, parameters] of questions(rules, seeds)) {
    const path = what === undefined ? rules : `${rules}/${what}`;
    const query = new URLSearchParams(parameters);
    const response = await fetch(`${server}/api/v1/${path}?${query}`);
    const expected = await response.text();
    // The probing module has no opponents.
    for (const one of what === "reply" ? answers.slice(0, 1) : answers) {
      const found = answer(one, rules, what, parameters);
      if (found !== expected) console.error(`server: ${expected}\nmodule: ${found}`);
      check(found === expected, `the answer of ${path}?${query}`);
      compared += 1;
    }
  }
}
check(files > 0 && compared > 0, "an empty folder");
console.log(`wasm: ${files} tables and ${compared} answers are equal`);

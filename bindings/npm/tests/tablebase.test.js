// The package as a program uses it, in the main thread and in a worker.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import * as direct from "krou";
import * as threaded from "krou/worker";

const BOARD = [0, 1, 1, 0, 2, 2, 0, 1, 0, 1, 1, 0];
const TEXT = "0 1 1 0 2 2 / 0 1 0 1 1 0";
const UNKNOWN = [1, 1, 1, 0, 2, 2, 0, 1, 0, 2, 1, 0];

/** What a promise is rejected with. */
function failed(code, more = {}) {
  return (error) => {
    assert.equal(error.name, "KrouError");
    assert.ok(error instanceof Error);
    assert.equal(error.code, code);
    assert.match(error.message, /\w+ \w+/);
    for (const [name, value] of Object.entries(more)) assert.deepEqual(error.details[name], value);
    return true;
  };
}

for (const [where, { KrouError, Tablebase }] of Object.entries({ direct, threaded })) {
  /** A test with an open tablebase. */
  const check = (name, options, work) => test(`${where}: ${name}`, async () => {
    const tables = await Tablebase.open(options);
    try {
      await work(tables);
    } finally {
      tables.close();
    }
  });

  check("boards are arrays, typed arrays or text", {}, async (tables) => {
    const expected = { value: -5, distance: 11, lower: null, upper: null };
    for (const board of [BOARD, Uint8Array.from(BOARD), TEXT, "0-1-1-0-2-2-0-1-0-1-1-0-20-19-S"]) {
      assert.deepEqual(await tables.probe(board), expected);
    }
    for (const board of [undefined, 7, [1, 2, 3], [...BOARD.slice(1), 1.5], [...BOARD.slice(1), 48], "x"]) {
      await assert.rejects(tables.probe(board), failed("board"));
    }
  });

  check("many boards get what each of them gets alone", {}, async (tables) => {
    const boards = Array.from({ length: 2500 }, (_, n) => {
      const pits = new Array(12).fill(0);
      for (let seed = 0; seed < n % 10; seed += 1) pits[(n * (seed + 3) + seed) % 12] += 1;
      return n % 3 === 0 ? pits.join(" ") : pits;
    });
    const alone = [];
    for (const board of boards) alone.push(await tables.probe(board));
    assert.deepEqual(await tables.probeMany(boards), alone);
    const unknown = { value: null, distance: null, lower: null, upper: null };
    assert.deepEqual(await tables.probeMany([UNKNOWN, TEXT]), [unknown, await tables.probe(BOARD)]);
    assert.deepEqual(await tables.probeMany([]), []);
    await assert.rejects(tables.probeMany([BOARD, "x"]), (error) => failed("board")(error) && /^board 1: /.test(error.message));
    for (const wrong of [TEXT, 7, undefined]) await assert.rejects(tables.probeMany(wrong), failed("parameter"));
    await assert.rejects(tables.probeMany([BOARD, 7]), failed("board"));
  });

  check("bounds come with rulesets that have them", { rules: "abapa" }, async (tables) => {
    assert.equal(tables.rules, "abapa");
    const result = await tables.probe("0 0 0 0 0 1 / 2 0 0 0 0 1");
    assert.deepEqual(result, { value: 4, distance: 1, lower: 4, upper: 4 });
  });

  check("moves are ranked, legal moves ordered by pit", {}, async (tables) => {
    const moves = await tables.moves(BOARD);
    assert.deepEqual(moves.map(({ pit, value, best }) => [pit, value, best]),
      [[2, -5, true], [4, -5, true], [5, -5, true], [1, -9, false]]);
    const legal = await tables.legalMoves(UNKNOWN);
    assert.deepEqual(legal.map(({ pit }) => pit), [0, 1, 2, 4, 5]);
    assert.deepEqual(await tables.legalMoves(new Array(12).fill(0)), []);
    assert.ok((await tables.moves(new Array(12).fill(4))).every(({ value }) => value === null));
  });

  check("a game is played move by move", {}, async (tables) => {
    let board = new Array(12).fill(4);
    let gained = 0;
    for (let turn = 0; turn < 20; turn += 1) {
      const [{ pit }] = await tables.legalMoves(board);
      const step = await tables.play(board, pit);
      gained += step.gain;
      assert.equal(step.board.length, 12);
      board = step.board;
    }
    assert.equal(board.reduce((sum, seeds) => sum + seeds, gained), 48);
    await assert.rejects(tables.play(BOARD, 0), failed("move", { pit: 0 }));
    await assert.rejects(tables.play(BOARD, 6), failed("move", { pit: 6 }));
  });

  check("best lines end as they are asked to", {}, async (tables) => {
    const { letters, end, line } = await tables.bestLine(BOARD, { plies: 5 });
    assert.deepEqual([letters, end, line.length], ["CbBeE", "length", 5]);
    assert.equal((await tables.bestLine(BOARD, { plies: 200 })).end === "length", false);
  });

  check("errors are objects with a code", {}, async (tables) => {
    await assert.rejects(tables.probe(UNKNOWN), failed("missing-table", { missing: 11 }));
    await assert.rejects(tables.bestLine(UNKNOWN), failed("missing-table", { missing: 11 }));
    await assert.rejects(tables.bestLine(BOARD, { plies: "x" }), failed("parameter"));
    await assert.rejects(tables.analyse(BOARD, { depth: 0 }), failed("parameter"));
    for (const seeds of [15, 260, -1, 1.5, "x"]) await assert.rejects(tables.build(seeds), failed("parameter"));
    await assert.rejects(Tablebase.open({ tables: ["x"] }), failed("parameter"));
    await assert.rejects(Tablebase.open({ rules: "awri" }), failed("unknown-ruleset"));
    await assert.rejects(Tablebase.open({ tables: [new Uint8Array(100)] }), failed("table"));
    const two = { tables: [new Uint8Array(100), new Uint8Array(100)] };
    await assert.rejects(Tablebase.open(two), { code: "table", message: /^[^;]*\(and 1 more: see details.damaged\)$/ });
    await assert.rejects(Tablebase.open({ url: "https://localhost/" }), failed("no-connection"));
    await assert.rejects(Tablebase.open({ url: "http://example.org/" }), failed("insecure"));
    await assert.rejects(Tablebase.open({ url: new URL("http://example.org/") }), failed("insecure"));
    await assert.rejects(Tablebase.open({ url: "nonsense" }), failed("parameter"));
    await tables.probe(UNKNOWN).catch((error) => assert.ok(error instanceof KrouError));
    // It goes on.
    assert.equal((await tables.probe(BOARD)).value, -5);
  });

  check("the engine tells each depth", {}, async (tables) => {
    const depths = [];
    const last = await tables.analyse(new Array(12).fill(4), { depth: 6, lines: 2, onInfo: ({ depth }) => depths.push(depth) });
    assert.deepEqual([last.depth, last.lines.length, depths.at(-1)], [6, 2, 6]);
    assert.ok(depths.length > 2 && last.nodes > 0 && last.timeMs >= 0);
    const exact = await tables.analyse(BOARD, { depth: 10 });
    assert.deepEqual([exact.lines[0].exact, exact.lines[0].score], [true, -5]);
    const start = performance.now();
    await tables.analyse(new Array(12).fill(4), { movetime: 50 });
    assert.ok(performance.now() - start < 5000);
  });

  check("a signal stops the engine", {}, async (tables) => {
    const stop = new AbortController();
    const onInfo = ({ depth }) => { if (depth >= 3) stop.abort(); };
    const search = tables.analyse(new Array(12).fill(4), { movetime: 10_000, onInfo, signal: stop.signal });
    await assert.rejects(search, { name: "AbortError" });
    await assert.rejects(tables.analyse(BOARD, { signal: AbortSignal.abort() }), { name: "AbortError" });
    assert.equal((await tables.probe(BOARD)).value, -5);
  });

  check("layers are solved with progress, and answer at once", { rules: "kalah" }, async (tables) => {
    assert.deepEqual(await tables.layers(), []);
    const phases = new Set();
    const layers = [];
    const built = await tables.build(5, {
      onProgress: ({ phase }) => phases.add(phase),
      onLayer: ([{ seeds }]) => layers.push(seeds),
    });
    assert.ok(phases.has("values"));
    assert.deepEqual(layers, [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(await tables.layers(), layers);
    const board = [0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0];
    const { value } = await tables.probe(board);
    assert.equal(typeof value, "number");
    assert.equal((await tables.moves(board))[0].value, value);

    // The same files in another tablebase.
    const again = await Tablebase.open({ rules: "kalah", tables: built.map(({ bytes }) => bytes) });
    assert.equal((await again.probe(board)).value, value);
    assert.deepEqual(await again.build(5), []);
    again.close();
  });

  check("a stopped build keeps its layers", { rules: "pratt" }, async (tables) => {
    const stop = new AbortController();
    const onLayer = ([{ seeds }]) => { if (seeds === 3) stop.abort(); };
    await assert.rejects(tables.build(14, { onLayer, signal: stop.signal }), { name: "AbortError" });
    const layers = await tables.layers();
    assert.ok(layers.includes(3) && !layers.includes(14), String(layers));
  });

  check("closed tables answer no more", {}, async (tables) => {
    const waiting = where === "threaded" ? assert.rejects(tables.probe(BOARD), failed("closed")) : null;
    tables.close();
    await waiting;
    await assert.rejects(tables.probe(BOARD), failed("closed"));
  });

  check("without built-in tables nothing is known", { builtIn: false }, async (tables) => {
    assert.deepEqual(await tables.layers(), []);
    await assert.rejects(tables.probe(BOARD), failed("missing-table"));
  });
}

/** What a program prints that ends by itself; `name` is that of its file. */
async function printed(name, program) {
  const file = fileURLToPath(new URL(name, import.meta.url));
  await writeFile(file, program);
  return (await promisify(execFile)(process.execPath, [file], { timeout: 60_000 })).stdout;
}

test("a program ends that forgets to close its worker, but not before its calls", async () => {
  const program = `import { Tablebase } from "krou/worker";
    const tables = await Tablebase.open({ rules: "awari" });
    const { value } = await tables.probe("${TEXT}");
    const last = Promise.all([tables.analyse(new Array(12).fill(4), { depth: 5 }), tables.moves("${TEXT}")]);
    last.then(([{ depth }, moves]) => console.log(value, depth, moves.length));`;
  assert.equal(await printed("forgetful.mjs", program), "-5 5 4\n");
});

test("require works where Node.js has it for modules", { skip: !process.features.require_module }, async () => {
  const program = `const { Tablebase } = require("krou");
    Tablebase.open().then((tables) => tables.probe("${TEXT}")).then(({ value }) => console.log(value));`;
  assert.match(await printed("requiring.cjs", program), /^-5$/m);
});

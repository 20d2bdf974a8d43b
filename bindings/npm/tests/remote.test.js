// Tables on a host give the same answers as the same tables here, or an error.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import test from "node:test";

import * as direct from "krou";
import * as threaded from "krou/worker";

const SEEDS = 7;

/** An index of tables, as `krou index` writes it. */
function indexOf(tables) {
  const entry = ({ name, bytes }) => ({
    name,
    bytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    header: Buffer.from(bytes.subarray(0, 128)).toString("hex"),
  });
  return { tables: tables.map(entry) };
}

/** Runs work with a host of tables; `spoil` may change the bytes of an answer. */
async function hosted(tables, index, work, spoil = (bytes) => bytes) {
  const requests = [];
  const server = createServer((request, response) => {
    const name = request.url.slice(1);
    requests.push(name);
    if (name === "krou-index.json") return response.end(JSON.stringify(index));
    const { bytes } = tables.find((table) => table.name === name);
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range).map(Number);
    response.writeHead(206, { "content-range": `bytes ${first}-${last}/${bytes.length}` });
    return response.end(spoil(bytes.slice(first, last + 1)));
  });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  try {
    await work(`http://127.0.0.1:${server.address().port}/`, requests);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Boards with a few seeds; the same in each run. */
function boards() {
  let state = 1;
  const random = (limit) => {
    state = (state * 48271) % 0x7fffffff;
    return state % limit;
  };
  return Array.from({ length: 40 }, () => {
    const board = new Array(12).fill(0);
    for (let left = 1 + random(SEEDS); left > 0; left -= 1) board[random(12)] += 1;
    return board;
  });
}

const here = await direct.Tablebase.open({ rules: "kalah" });
const built = await here.build(SEEDS);

for (const [where, { Tablebase }] of Object.entries({ direct, threaded })) {
  /** A test with a tablebase of such a host. */
  const check = (name, index, work, spoil) => test(`${where}: ${name}`, () => hosted(built, index, async (url, requests) => {
    const tables = await Tablebase.open({ rules: "kalah", url });
    try {
      await work(tables, requests);
    } finally {
      tables.close();
    }
  }, spoil));

  const index = indexOf(built);
  const changed = (change) => ({ tables: index.tables.map(change) });

  check("a host gives the same answers", index, async (tables, requests) => {
    assert.deepEqual(await tables.layers(), await here.layers());
    for (const board of boards()) {
      assert.deepEqual(await tables.probe(board), await here.probe(board));
      assert.deepEqual(await tables.moves(board), await here.moves(board));
      assert.deepEqual(await tables.bestLine(board, { plies: 4 }), await here.bestLine(board, { plies: 4 }));
    }
    // What is known is not requested again.
    const before = requests.length;
    await Promise.all(boards().map((board) => tables.moves(board)));
    assert.equal(requests.length, before);
  });

  check("many callers wait for a host in turn", index, async (tables) => {
    const found = await Promise.all(boards().map((board) => tables.probe(board)));
    assert.deepEqual(found, await Promise.all(boards().map((board) => here.probe(board))));
  });

  check("many boards are fetched together", index, async (tables, requests) => {
    assert.deepEqual(await tables.probeMany(boards()), await here.probeMany(boards()));
    const before = requests.length;
    await Promise.all(boards().map((board) => tables.probe(board)));
    assert.equal(requests.length, before);
  });

  check("headers that the index lacks are requested", changed(({ header, ...rest }) => rest), async (tables) => {
    const [board] = boards();
    assert.deepEqual(await tables.probe(board), await here.probe(board));
  });

  const wrong = (bytes) => bytes.fill(bytes[0] + 1, bytes.length >> 1);
  check("wrong bytes are errors, never wrong values", index, async (tables) => {
    for (const board of boards()) {
      const found = await tables.probe(board).catch((error) => error.code);
      if (found !== "table") assert.deepEqual(found, await here.probe(board));
    }
    await assert.rejects(tables.probe(boards()[0]), { name: "KrouError", code: "table" });
  }, wrong);

  const next = (place) => index.tables[(place + 1) % built.length].header;
  check("a table is not taken for another", changed((table, place) => ({ ...table, header: next(place) })), async (tables) => {
    for (const board of boards()) await assert.rejects(tables.probe(board), { name: "KrouError" });
  });
}

test("the tables here are closed", () => here.close());

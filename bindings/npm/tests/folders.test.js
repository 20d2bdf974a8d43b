// Tables in folders give the same answers as the same tables in memory, or an error.

import assert from "node:assert/strict";
import { appendFile, mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";

import * as direct from "krou";
import * as threaded from "krou/worker";

const BOARDS = ["0 0 0 0 1 1 / 0 0 1 0 1 0", "1 1 0 0 1 1 / 0 0 1 0 1 1", "0 2 0 1 0 0 / 0 0 3 0 0 1"];

const home = await mkdtemp(join(tmpdir(), "krou-"));
after(() => rm(home, { recursive: true }));
const here = await direct.Tablebase.open({ rules: "kalah" });
const built = await here.build(7);
after(() => here.close());

/** A folder with these tables and other files. */
async function folderOf(name, tables) {
  const folder = join(home, name);
  await mkdir(folder);
  await writeFile(join(folder, "notes.txt"), "no table");
  for (const { name: file, bytes } of tables) await writeFile(join(folder, file), bytes);
  return folder;
}

for (const [where, { Tablebase }] of Object.entries({ direct, threaded })) {
  test(`${where}: folders answer, the first one first`, async () => {
    const [low, all] = [await folderOf(`${where}-low`, built.slice(0, 6)), await folderOf(`${where}-all`, built)];
    // Were it read, it would be an error.
    await truncate(join(all, built[0].name), 5);
    const tables = await Tablebase.open({ rules: "kalah", folders: [low, all] });
    try {
      assert.deepEqual(await tables.layers(), await here.layers());
      for (const board of BOARDS) {
        assert.deepEqual(await tables.probe(board), await here.probe(board));
        assert.deepEqual(await tables.moves(board), await here.moves(board));
        assert.deepEqual(await tables.bestLine(board), await here.bestLine(board));
      }
      // More than are asked for at once.
      const many = Array.from({ length: 2100 }, (_, n) => BOARDS[n % 3]);
      assert.deepEqual(await tables.probeMany(many), await here.probeMany(many));
    } finally {
      tables.close();
    }
    const alone = await Tablebase.open({ rules: "kalah", folders: low });
    const highest = built[5].seeds;
    assert.equal((await alone.layers()).at(-1), highest);
    alone.close();
  });

  test(`${where}: folders that cannot be read, and damaged tables, are errors`, async () => {
    const nowhere = join(home, "nowhere");
    await assert.rejects(Tablebase.open({ folders: nowhere }), ({ name, code, message }) => {
      assert.deepEqual([name, code], ["KrouError", "folder"]);
      return message.includes(nowhere);
    });
    await assert.rejects(Tablebase.open({ folders: [7] }), { name: "KrouError", code: "parameter" });
    const damaged = await folderOf(`${where}-damaged`, built);
    const tables = await Tablebase.open({ rules: "kalah", folders: damaged });
    for (const { name, bytes } of built) {
      const file = join(damaged, name);
      await truncate(file, bytes.length >> 1);
      await appendFile(file, new Uint8Array(bytes.length));
    }
    for (const board of BOARDS) await assert.rejects(tables.probe(board), { name: "KrouError", code: "table" });
    tables.close();
  });
}

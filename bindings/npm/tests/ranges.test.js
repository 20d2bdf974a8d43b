// Ranges of tables on a host: a good one, and hosts that go wrong in each way.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import test from "node:test";

import { Host } from "./node_modules/krou/library/ranges.js";

const NAME = "awari-10.value.krou";
const FILE = Uint8Array.from({ length: 100_000 }, (_, place) => place % 251);
const HEADER = Buffer.from(FILE.subarray(0, 128)).toString("hex");
const INDEX = { version: 1, tables: [{ name: NAME, bytes: FILE.length, sha256: "AB12", header: HEADER }] };

/** What a host does that supports ranges. */
function answer(request, response) {
  if (request.url.endsWith("/krou-index.json")) return response.end(JSON.stringify(INDEX));
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range).map(Number);
  response.writeHead(206, { "content-range": `bytes ${first}-${last}/${FILE.length}`, etag: '"one"' });
  return response.end(FILE.subarray(first, last + 1));
}

/** Runs work with a host; `change` may answer a request for a table in another way. */
async function hosted(change, work, options = {}) {
  const asked = [];
  let running = 0;
  let most = 0;
  const server = createServer((request, response) => {
    asked.push([request.url, request.headers.range]);
    running += 1;
    most = Math.max(most, running);
    response.on("close", () => { running -= 1; });
    if (!request.url.endsWith(".krou") || !change(request, response)) answer(request, response);
  });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  const base = `http://127.0.0.1:${server.address().port}/tables`;
  try {
    const host = await Host.open(base, options);
    await work(host, { asked, base, most: () => most });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const range = (start, end) => ({ file: NAME, start, end });
/** Joins all that is below 1,000. */
const join = (ranges) => {
  const near = ranges.filter(({ end }) => end < 1000);
  const [first, last] = [Math.min(...near.map(({ start }) => start)), Math.max(...near.map(({ end }) => end))];
  return [range(first, last), ...ranges.filter(({ end }) => end >= 1000)];
};
const nothing = () => false;

/** Checks why a range cannot be read. */
const refuses = (code, sentence, change, options) => hosted(change, async (host) => {
  await assert.rejects(host.read([range(10, 20)]), (error) => {
    assert.deepEqual([error.name, error.code], ["KrouError", code]);
    assert.match(error.message, sentence);
    return true;
  });
}, options);

/** An answer with this head and body in place of the right one. */
const instead = (status, head, body = FILE.subarray(10, 20)) => (_, response) => {
  response.writeHead(status, head);
  response.end(body);
  return true;
};

const RIGHT = { "content-range": `bytes 10-19/${FILE.length}` };

test("ranges come together and in order, joined ones as one", () => hosted(nothing, async (host, { asked }) => {
  assert.deepEqual(host.files(), [{ ...INDEX.tables[0], sha256: "ab12" }]);
  const ranges = [range(4000, 5000), range(0, 1), range(7, 300)];
  const found = await host.read(ranges, join);
  assert.deepEqual(found, ranges.map(({ start, end }) => FILE.subarray(start, end)));
  const [[index], ...others] = asked;
  assert.equal(index, "/tables/krou-index.json");
  const table = `/tables/${NAME}`;
  assert.deepEqual(others.sort(), [[table, "bytes=0-299"], [table, "bytes=4000-4999"]]);
}));

test("few requests are under way at a time", async () => {
  const slowly = (request, response) => {
    setTimeout(() => answer(request, response), 20);
    return true;
  };
  await hosted(slowly, async (host, { most }) => {
    const ranges = Array.from({ length: 80 }, (_, place) => range(1200 * place, 1200 * place + 50));
    const found = await Promise.all([host.read(ranges.slice(0, 45)), host.read(ranges.slice(45))]);
    assert.deepEqual(found.flat(), ranges.map(({ start, end }) => FILE.subarray(start, end)));
    assert.ok(most() > 1 && most() <= 32, `${most()} requests at a time`);
  });
});

test("what the store has is not requested", () => {
  const kept = new Map();
  const store = {
    read: async (hash, start, end) => kept.get(`${hash} ${start} ${end}`) ?? null,
    write: async (hash, start, bytes) => kept.set(`${hash} ${start} ${start + bytes.length}`, bytes),
    remove: async () => kept.clear(),
    whole: async () => null,
    replace: async () => {},
  };
  return hosted(nothing, async (host, { asked }) => {
    await host.read([range(1, 9)]);
    assert.deepEqual(await host.read([range(1, 9)]), [FILE.subarray(1, 9)]);
    assert.deepEqual([...kept.keys()], ["ab12 1 9"]);
    assert.equal(asked.length, 2);
    await host.forget(NAME);
    await host.read([range(1, 9)]);
    assert.equal(asked.length, 3);
  }, { store });
});

test("a host without ranges is refused at once", () => refuses("no-ranges", /support ranges/, (_, response) => {
  response.writeHead(200, { "content-length": 1 << 30 });
  response.write(FILE);
  return true;
}));

test("other statuses are errors", async () => {
  for (const status of [403, 404]) await refuses("host", new RegExp(`status ${status}`), instead(status, {}));
  for (const wait of ["0", "3600"]) await refuses("host", /status 503/, instead(503, { "retry-after": wait }));
  await refuses("changed", /has changed/, instead(416, {}));
});

test("wrong ranges are errors", async () => {
  await refuses("host", /another range/, instead(206, {}));
  await refuses("host", /another range/, instead(206, { "content-range": `bytes 11-20/${FILE.length}` }));
  await refuses("host", /another range/, instead(206, { "content-range": "bytes x" }));
  await refuses("host", /9 bytes instead of 10/, instead(206, RIGHT, FILE.subarray(10, 19)));
  await refuses("host", /more than 10 bytes/, instead(206, RIGHT, FILE));
});

test("files that change are errors", async () => {
  await refuses("changed", /has changed/, instead(206, { "content-range": "bytes 10-19/99999" }));
  let version = 0;
  const changing = (request, response) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range).map(Number);
    version += 1;
    response.writeHead(206, { "content-range": `bytes ${first}-${last}/${FILE.length}`, etag: `"${version}"` });
    return response.end(FILE.subarray(first + 1, last + 2));
  };
  await hosted(changing, async (host) => {
    await host.read([range(10, 20)]);
    await assert.rejects(host.read([range(10, 20)]), { code: "changed" });
  });
});

test("busy hosts are asked again", () => {
  let count = 0;
  return hosted((request, response) => {
    count += 1;
    return count % 3 > 0 && instead(429, { "retry-after": "0" })(request, response);
  }, async (host) => {
    assert.deepEqual(await host.read([range(10, 20)]), [FILE.subarray(10, 20)]);
    assert.equal(count, 3);
  });
});

test("machines of a host may call a file differently", async () => {
  let count = 0;
  const twoMachines = (request, response) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range).map(Number);
    count += 1;
    const head = { "content-range": `bytes ${first}-${last}/*`, etag: `"machine ${count % 2}"` };
    response.writeHead(206, head);
    response.end(FILE.subarray(first, last + 1));
    return true;
  };
  await hosted(twoMachines, async (host) => {
    for (const start of [10, 20, 30]) {
      assert.deepEqual(await host.read([range(start, start + 10)]), [FILE.subarray(start, start + 10)]);
    }
  });
});

test("silent, slow and broken hosts are errors", async () => {
  const time = 200;
  await refuses("timeout", /within 0.2 s/, () => true, { time });
  const drips = (_, response) => {
    response.writeHead(206, RIGHT);
    const timer = setInterval(() => response.write(FILE.subarray(10, 11)), 50);
    response.on("close", () => clearInterval(timer));
    return true;
  };
  await refuses("timeout", /within 0.2 s/, drips, { time });
  // Once is enough for a minute.
  await hosted(() => true, async (host, { asked }) => {
    await assert.rejects(host.read([range(10, 20)]), { code: "timeout" });
    await assert.rejects(host.read([range(10, 20)]), /after a minute/);
    assert.equal(asked.length, 2);
  }, { time });
  // What makes progress may take longer than that.
  await hosted((_, response) => {
    response.writeHead(206, { "content-range": `bytes 0-7999/${FILE.length}` });
    let sent = 0;
    const timer = setInterval(() => {
      response.write(FILE.subarray(sent, sent + 1600));
      sent += 1600;
      if (sent === 8000) response.end();
    }, 80);
    response.on("close", () => clearInterval(timer));
    return true;
  }, async (host) => {
    assert.deepEqual(await host.read([range(0, 8000)]), [FILE.subarray(0, 8000)]);
  }, { time });
  await refuses("no-connection", /no connection/, (request) => request.destroy());
  await assert.rejects(Host.open("http://127.0.0.1:9/"), { code: "no-connection" });
});

test("redirects are followed, but not to where others could listen", async () => {
  const to = (location) => (request, response) => {
    if (request.url.startsWith("/moved/")) return false;
    response.writeHead(302, { location });
    response.end();
    return true;
  };
  await hosted(to(`/moved/${NAME}`), async (host) => {
    assert.deepEqual(await host.read([range(3, 5)]), [FILE.subarray(3, 5)]);
  });
  await hosted(nothing, async (_, { base }) => {
    const elsewhere = `${base.replace("127.0.0.1", "0.0.0.0")}/moved/${NAME}`;
    await refuses("insecure", /not be encrypted/, to(elsewhere));
  });
});

test("addresses without encryption are refused, except this machine's", async () => {
  await assert.rejects(Host.open("http://example.org/"), { code: "insecure" });
  await assert.rejects(Host.open("ftp://localhost/"), { code: "insecure" });
  await assert.rejects(Host.open("nonsense"), { name: "KrouError", code: "parameter" });
  const secret = Host.open("http://me:secret@127.0.0.1:9/");
  await assert.rejects(secret, ({ message }) => !message.includes("secret"));
  await hosted(nothing, async (_, { base }) => {
    const host = await Host.open(base.replace("127.0.0.1", "localhost"));
    assert.equal(host.files().length, 1);
  });
});

test("a host must have an index", async () => {
  const answers = [[404, ""], [200, "no JSON"], [200, "null"], [200, "{}"], [200, '{"version":2,"tables":[]}'], [200, '{"tables":[{"name":"../x","bytes":1,"sha256":"a"}]}']];
  for (const [status, text] of answers) {
    const server = createServer((_, response) => { response.writeHead(status).end(text); });
    await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
    await assert.rejects(Host.open(`http://127.0.0.1:${server.address().port}`), { code: "no-index" });
    server.closeAllConnections();
    server.close();
  }
});

// Answers of the server over HTTP: one of the two sources of `api.js`.

import { KrouError } from "./library/error.js";
import { events } from "./event-stream.js";

const BASE = "api/v1/";
/** How often a request is repeated while the server is busy. A stream waits as long as it is
 * wanted. */
const RETRIES = 4;
/** The longest pause before a repeated request, in seconds. */
const MAX_PAUSE = 5;

/** Waits for some milliseconds, or until the signal aborts. */
function pause(time, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, time);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Sends a request, again after a pause if the server is busy, so many times. */
async function send(path, parameters, options = {}, retries = RETRIES) {
  const query = new URLSearchParams(parameters).toString();
  const address = `${BASE}${path}${query ? `?${query}` : ""}`;
  const { signal } = options;
  for (let attempt = 0; ; attempt++) {
    let response;
    try {
      response = await fetch(address, options);
    } catch {
      signal?.throwIfAborted();
      throw new KrouError("no-connection");
    }
    if (response.status !== 503 || attempt === retries) return response;
    const seconds = Number(response.headers.get("retry-after")) || 1;
    await pause(1000 * Math.min(seconds, MAX_PAUSE), signal);
  }
}

/** The error of a response. */
async function failure(response) {
  const body = await response.json().catch(() => ({}));
  return new KrouError(body.code ?? "failed", { status: response.status, ...body });
}

/** The answer of an endpoint: an object, or a text if `text` is set. `body` is the text of
 * an upload. */
export async function request(path, parameters, { signal, body, text } = {}) {
  const upload = body === undefined ? {} : { method: "POST", body, headers: { "content-type": "text/plain" } };
  const response = await send(path, parameters, { signal, ...upload });
  if (text && response.ok) return response.text();
  let answer;
  try {
    answer = await response.json();
  } catch {
    signal?.throwIfAborted();
    throw new KrouError("failed", { status: response.status });
  }
  signal?.throwIfAborted();
  // A board without a table is a valid answer: its moves are known.
  if (response.ok || answer.missing !== undefined) return answer;
  throw new KrouError(answer.code ?? "failed", { status: response.status, ...answer });
}

/** Calls `onEvent` with the events of a stream until its last one, `done`, whose data it
 * returns. A stream that a busy server ends begins again. */
export async function stream(path, parameters, onEvent, signal) {
  for (;;) {
    try {
      return await streamOnce(path, parameters, onEvent, signal);
    } catch (error) {
      if (error.code !== "busy") throw error;
      await pause(1000, signal);
    }
  }
}

async function streamOnce(path, parameters, onEvent, signal) {
  // A browser lets a request for the same address wait for the first one, unless neither is
  // stored.
  const options = { signal, cache: "no-store", headers: { accept: "text/event-stream" } };
  const response = await send(path, parameters, options, Infinity);
  if (!response.ok) throw await failure(response);
  try {
    for await (const { name, data } of events(response.body)) {
      signal?.throwIfAborted();
      if (name === "error") throw new KrouError(data.code ?? "failed", data);
      if (name === "done") return data;
      onEvent(name, data);
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof KrouError) throw error;
  }
  throw new KrouError("no-connection");
}

/** Two may play in a room of the server. */
export const hasRooms = true;

/** The server solves with `krou build`, not for the page. */
export const solver = null;

// A worker as a queue of calls: one call at a time. A call that is no longer wanted is
// dropped; if the worker is busy with it, another worker takes its place. `Remote` is the end
// that asks, and `serve` the end in the worker.

import { KrouError } from "./error.js";

export class Remote {
  /** `start` starts a worker. `unknown` is told where a worker ends and the browser does not say
   * why, as for a file that is not there. */
  constructor(start, unknown = "") {
    this.start = start;
    this.unknown = unknown;
    this.worker = null;
    /** The calls that wait; the first one is in progress. */
    this.calls = [];
    /** Hears of events where no call in progress does. */
    this.onEvent = () => {};
  }

  /** Calls the worker with a message; `onEvent` is called with what it tells meanwhile. */
  call(message, { signal, onEvent } = {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const call = { message, onEvent };
      const abort = () => this.drop(call, signal.reason);
      call.settle = (settle, value) => {
        signal?.removeEventListener("abort", abort);
        settle(value);
      };
      call.resolve = (value) => call.settle(resolve, value);
      call.reject = (error) => call.settle(reject, error);
      signal?.addEventListener("abort", abort);
      this.calls.push(call);
      if (this.calls.length === 1) this.send();
    });
  }

  /** Starts the worker before it is needed. */
  prepare() {
    if (this.worker) return;
    const worker = this.start();
    worker.addEventListener("message", ({ data }) => worker === this.worker && this.receive(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker === this.worker) this.fail(event.message || this.unknown);
    });
    this.worker = worker;
  }

  /** Sends the first call. */
  send() {
    if (this.calls.length === 0) return;
    this.prepare();
    try {
      this.worker.postMessage(this.calls[0].message);
    } catch (error) {
      // What cannot be copied cannot be sent.
      this.calls.shift().reject(error);
      this.send();
    }
  }

  receive({ event, answer, error }) {
    const [call] = this.calls;
    if (event) {
      (call?.onEvent ?? this.onEvent)(...event);
      return;
    }
    if (!call) return;
    this.calls.shift();
    if (error) call.reject(new KrouError(error.code, error));
    else call.resolve(answer);
    this.send();
  }

  /** The worker has ended by itself. */
  fail(why) {
    const call = this.calls.shift();
    this.end();
    call?.reject(new KrouError("worker", { error: why }));
    this.send();
  }

  drop(call, reason) {
    const place = this.calls.indexOf(call);
    if (place < 0) return;
    this.calls.splice(place, 1);
    call.reject(reason);
    if (place > 0) return;
    // A worker that computes does not listen.
    this.end();
    this.prepare();
    this.send();
  }

  end() {
    this.worker?.terminate();
    this.worker = null;
  }

  /** Ends the worker; the calls that wait fail with this error. */
  close(error) {
    this.end();
    for (const call of this.calls.splice(0)) call.reject(error);
  }
}

/** Answers the calls of a `Remote` at the other end of this port. `start` gets the `start` of
 * the first message; calls wait until it has finished. `calls` has a function for each call,
 * which gets the message and `tell`, which sends an event. */
export function serve(port, start, calls) {
  let begin;
  const started = new Promise((resolve) => { begin = resolve; });
  // Each call reports a failure.
  started.catch(() => {});
  const tell = (name, data) => port.postMessage({ event: [name, data] });
  port.addEventListener("message", async ({ data }) => {
    if (data.start) {
      begin(Promise.resolve(data.start).then(start));
      return;
    }
    try {
      await started;
      port.postMessage({ answer: await calls[data.call](data, tell) });
    } catch (error) {
      if (error instanceof KrouError && error.cause === undefined) {
        port.postMessage({ error: { ...error.details, code: error.code } });
      } else {
        // Nothing can be trusted after another failure: the worker ends, and `Remote` starts
        // another one.
        setTimeout(() => { throw error; });
      }
    }
  });
}

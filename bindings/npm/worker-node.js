// A thread of Node.js.

import { parentPort } from "node:worker_threads";
import { answerCalls } from "./worker-calls.js";

answerCalls({
  postMessage: (message) => parentPort.postMessage(message),
  addEventListener: (name, listener) => parentPort.on(name, (data) => listener({ data })),
});

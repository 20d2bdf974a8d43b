// A worker of a browser.

import { answerCalls } from "./worker-calls.js";

answerCalls(globalThis);

// Types of `krou/worker`: those of `krou`. `analyse` and `build` do not block the caller, and a
// signal stops them at once. `close` ends the worker.

export * from "./index.js";

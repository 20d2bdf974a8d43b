// What a worker of `worker.js` answers: it calls a `Tablebase` of its own.

import { Tablebase } from "./index.js";
import { serve } from "./library/remote.js";

let tables = null;

/** A call without events. */
const plain = (name) => ({ given }) => tables[name](...given);

const calls = {
  rules: () => tables.rules,
  layers: plain("layers"),
  probe: plain("probe"),
  probeMany: plain("probeMany"),
  moves: plain("moves"),
  legalMoves: plain("legalMoves"),
  play: plain("play"),
  bestLine: plain("bestLine"),
  analyse: ({ given: [board, limits] }, tell) => tables.analyse(board, { ...limits, onInfo: (info) => tell("info", info) }),

  async build({ given: [seeds] }, tell) {
    await tables.build(seeds, {
      onProgress: (progress) => tell("progress", progress),
      onLayer: (layer) => tell("layer", layer),
    });
  },
};

/** Answers the calls that come to this port. */
export function answerCalls(port) {
  serve(port, async (options) => { tables = await Tablebase.open(options); }, calls);
}

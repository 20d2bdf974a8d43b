// A page that probes by `krou` and by `krou/worker`, and says what came out to the address after
// `#` in its own.

import { Tablebase } from "krou";
import { Tablebase as InWorker } from "krou/worker";

const BOARD = [0, 1, 1, 0, 2, 2, 0, 1, 0, 1, 1, 0];

async function value(Opened) {
  try {
    const tables = await Opened.open();
    const { lines } = await tables.analyse(BOARD, { depth: 4 });
    return `${(await tables.probe(BOARD)).value} ${lines[0].score}`;
  } catch (error) {
    return `${error.code}: ${error.message}`;
  }
}

const found = [await value(Tablebase), await value(InWorker)].join("; ");
await fetch(location.hash.slice(1), { method: "POST", mode: "no-cors", body: found });

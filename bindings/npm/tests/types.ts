// A program in TypeScript, which the compiler checks against the types of the package.

import { KrouError, Tablebase, type RankedMove, type Report } from "krou";
import { Tablebase as Worker, type BuiltTable } from "krou/worker";

const tables: Tablebase = await Tablebase.open({ rules: "abapa", url: "https://example.org/tables/" });
const { value, distance } = await tables.probe([1, 1, 1, 1, 1, 2, 0, 0, 0, 0, 0, 1]);
const twice: number = 2 * value;
const plies: number = distance ?? 0;
const many: (number | null)[] = (await tables.probeMany([Uint8Array.of(1, 2), "1 1 1 1 1 2 / 4 2 3 0 0 0"])).map(({ lower }) => lower);
const best: RankedMove | undefined = (await tables.moves(Uint8Array.of(1, 2)))[0];
const known: number | null = best?.value ?? null;
const board: number[] = (await tables.play("1 1 1 1 1 2 / 4 2 3 0 0 0", 3)).board;
const end: "over" | "loop" | "missing" | "length" = (await tables.bestLine(board, { plies: 3 })).end;

const onInfo = (report: Report): void => {
  const score: number | undefined = report.lines[0]?.score;
  void score;
};
const worker = await Worker.open({ tables: [new Uint8Array()] });
await worker.analyse(board, { depth: 3, movetime: 100, lines: 1, onInfo, signal: AbortSignal.timeout(1000) });
const built: BuiltTable[] = await worker.build(4, { onProgress: ({ done, boards }) => done / boards });
const bytes: Uint8Array | undefined = built[0]?.bytes;
worker.close();

try {
  // @ts-expect-error A board is no number.
  await tables.probe(7);
  // @ts-expect-error Nor are several boards one board.
  await tables.probeMany("1 1 1 1 1 2 / 4 2 3 0 0 0", 7);
  // @ts-expect-error There is no such option.
  await tables.analyse(board, { time: 100 });
  // @ts-expect-error The value may be unknown.
  const wrong: number = best.value;
  void wrong;
} catch (error) {
  if (error instanceof KrouError) {
    const code: string = error.code;
    const missing: unknown = error.details["missing"];
    void [code, missing];
  }
}
void [twice, plies, many, known, end, bytes];

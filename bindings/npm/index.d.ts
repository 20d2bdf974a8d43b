// Types of the package `krou`.

/** Why there is no answer. The message is a sentence. */
export class KrouError extends Error {
  constructor(code: string, details?: object);
  readonly name: "KrouError";
  /** What programs tell errors apart by, such as `board`, `move`, `missing-table`, `table` or
   * `unknown-ruleset`. */
  readonly code: string;
  /** All that is known about it: for `missing-table`, `missing` is the number of seeds of the
   * layer. */
  readonly details: { readonly [name: string]: unknown };
}

/** Twelve numbers, the mover's pits first and both rows in the direction of sowing; or text in
 * either notation, such as `"1 1 1 1 1 2 / 4 2 3 0 0 0"`. */
export type BoardLike = string | Iterable<number>;

/** What the tables know about a board, for its mover. */
export interface Result {
  /** Net seeds that the mover takes from here on. */
  value: number | null;
  /** Plies to the next conversion, a capture or the end of the game; null where no table of
   * distances has it, and where the value is 0 or only a loop attains it. */
  distance: number | null;
  /** The value if a repetition is stopped where that is worst for the mover; null under rulesets
   * without bounds. */
  lower: number | null;
  /** The value if a repetition is stopped where that is best for the mover. */
  upper: number | null;
}

/** The result of a board whose layer has a table. */
export interface KnownResult extends Result {
  value: number;
}

/** A move and its effect. */
export interface Step {
  /** From 0 to 5, in the direction of sowing. */
  pit: number;
  /** `A` to `F`, or `a` to `f` where North moves. */
  letter: string;
  captured: number;
  /** Net seeds that the mover takes by this move. */
  gain: number;
  /** As the next player sees it, or as the same player sees it where `again`. */
  board: number[];
  /** Whether the same player moves again. */
  again: boolean;
  /** Whether the move ends the game. */
  ends: boolean;
}

/** A move with its value for the mover, captures included. */
export interface RankedMove extends Step, Result {
  /** Whether the move keeps the value of the board. */
  best: boolean;
}

/** A best line. */
export interface Line {
  letters: string;
  /** Why it ends: the game is over, the last move leads back to an earlier board, a layer is
   * missing, or it has as many plies as were asked for. */
  end: "over" | "loop" | "missing" | "length";
  line: Step[];
}

/** A line of the engine, with its score for the mover in seeds from here on. */
export interface EngineLine {
  pit: number;
  letters: string;
  /** The pits of whoever moves. */
  pv: number[];
  score: number;
  /** South's final lead in seeds, the stores included. */
  net: number;
  exact: boolean;
  /** What is proven about the score. */
  lower: number;
  upper: number;
  result: string | null;
  depth: number;
}

/** What the engine knows after a depth. */
export interface Report {
  depth: number;
  selectiveDepth: number;
  nodes: number;
  tableHits: number;
  /** In thousandths. */
  hashFull: number;
  timeMs: number;
  /** `lower` if the score is a bound from the next depth, which is not complete. */
  bound: "lower" | null;
  /** Other pits that are as good, if the tables alone know. */
  ties: number[];
  /** Best first. */
  lines: EngineLine[];
}

/** A solved table: the bytes of a file that `krou` reads. */
export interface BuiltTable {
  /** The name of the file, such as `awari-10.value.krou`. */
  name: string;
  rules: string;
  seeds: number;
  bytes: Uint8Array;
}

/** How far a build is. */
export interface BuildProgress {
  seeds: number;
  phase: string;
  /** The sweep or round of the phase, from 1. */
  sweep: number;
  /** Boards of the sweep that are done, and all of them. */
  done: number;
  boards: number;
}

export interface OpenOptions {
  /** The name of a ruleset; `awari` unless given. */
  rules?: string;
  /** Files of tables of this ruleset, as `krou build` and `build` make them. */
  tables?: Uint8Array[];
  /** Folders of tables, as `krou build` writes them; in Node.js alone. Probes read the parts that
   * they need. */
  folders?: string | string[];
  /** Whether the built-in tables answer where the others do not; true unless given. */
  builtIn?: boolean;
  /** The address of a folder of tables on a web host, which answers where there are no other
   * tables. */
  url?: string | URL;
  /** Whether the address may be one without encryption (`http`) on another machine. */
  insecure?: boolean;
}

export interface AnalyseOptions {
  /** The deepest search in plies, from 1 to 60. */
  depth?: number;
  /** The longest time in milliseconds, from 1 to 10,000; 3,000 unless given. */
  movetime?: number;
  /** How many lines, from 1 to 6; 3 unless given. */
  lines?: number;
  /** Called after each depth. */
  onInfo?: (report: Report) => void;
  signal?: AbortSignal;
}

export interface BuildOptions {
  onProgress?: (progress: BuildProgress) => void;
  /** Called with the tables of each layer. */
  onLayer?: (tables: BuiltTable[]) => void;
  /** Finished layers stay. */
  signal?: AbortSignal;
}

/** The tables of a ruleset, and what can be answered with its rules. Every failure rejects with
 * a `KrouError`, except that an aborted signal rejects with its reason. */
export class Tablebase {
  private constructor();
  /** Opens the tables of a ruleset. */
  static open(options?: OpenOptions): Promise<Tablebase>;
  /** The name of the ruleset. */
  readonly rules: string;
  /** The layers with values, by their numbers of seeds. */
  layers(): Promise<number[]>;
  /** The value of a board. Rejects with `missing-table` where its layer has no table. */
  probe(board: BoardLike): Promise<KnownResult>;
  /** The results of many boards, in their order and in one call; those of boards whose layer has
   * no table are null. Rejects where one is no board. */
  probeMany(boards: Iterable<BoardLike>): Promise<Result[]>;
  /** The legal moves with their values, best first; those without a known value come last. */
  moves(board: BoardLike): Promise<RankedMove[]>;
  /** The legal moves, by pit. */
  legalMoves(board: BoardLike): Promise<Step[]>;
  /** The effect of a move. Rejects with `move` if the pit may not be played. */
  play(board: BoardLike, pit: number): Promise<Step>;
  /** The best play from a board on: at most so many plies, 40 unless given. */
  bestLine(board: BoardLike, options?: { plies?: number }): Promise<Line>;
  /** Searches with the engine. Returns the last report. */
  analyse(board: BoardLike, options?: AnalyseOptions): Promise<Report>;
  /** Solves the layers up to a number of seeds, at most 14, that the given tables lack, with
   * distances; these tables answer from then on. Returns the new ones. */
  build(seeds: number, options?: BuildOptions): Promise<BuiltTable[]>;
  /** Frees the memory of the tables. Calls fail with `closed` from now on. */
  close(): void;
}

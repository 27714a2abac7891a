/** What a file of this folder offers so that run.ts can find it, list it and run it. */

export interface BenchOptions {
  /** Counted runs of each program; undefined takes the benchmark's own number. */
  readonly runs: number | undefined;
  /** Where other harnesses are looked for: DIR/NAME/node_modules/.bin/PROGRAM. */
  readonly peers: string | undefined;
  /** Prints one line; progress goes to stderr by `note`. */
  readonly print: (line: string) => void;
  readonly note: (line: string) => void;
}

export interface Benchmark {
  /** What it answers, in one sentence. */
  readonly question: string;
  run(options: BenchOptions): Promise<void>;
}

/** The interface of a benchmark, by which `run.ts` finds, lists and runs it. */

export interface BenchOptions {
  /** Number of counted runs of each program; undefined for the benchmark's default. */
  readonly runs: number | undefined;
  /** The folder of the other harnesses: DIR/NAME/node_modules/.bin/PROGRAM. */
  readonly peers: string | undefined;
  /** The number of sessions of a load; undefined for the default of the benchmark. */
  readonly sessions: number | undefined;
  /** The seconds of a load; undefined for the default of the benchmark. */
  readonly seconds: number | undefined;
  /** Prints a line of the result to stdout. */
  readonly print: (line: string) => void;
  /** Prints a line about the progress to stderr. */
  readonly note: (line: string) => void;
}

export interface Benchmark {
  /** The question that it answers, in one sentence. */
  readonly question: string;
  run(options: BenchOptions): Promise<void>;
}

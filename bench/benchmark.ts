/** The interface of a benchmark, by which `run.ts` finds, lists and runs it. */

export interface BenchOptions {
  /** Number of counted runs of each program; undefined for the benchmark's default. */
  readonly runs: number | undefined;
  /**
   * The folder of the programs to compare with; undefined to compare with none. It has harnesses as
   * `NAME/node_modules/.bin/PROGRAM`, and parsers in `parsers/node_modules`.
   */
  readonly peers: string | undefined;
  /** The number of sessions in a load test; undefined for the default of the benchmark. */
  readonly sessions: number | undefined;
  /** The duration of a load test in seconds; undefined for the default of the benchmark. */
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

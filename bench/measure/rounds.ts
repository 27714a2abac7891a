/** Runs several subjects in turn, round by round, so that what disturbs the machine disturbs them all alike. */
import { waitForQuiet } from "./machine.ts";
import type { Run } from "./run-program.ts";

export interface Subject {
  readonly name: string;
  run(): Promise<Run>;
}

export interface RoundOptions {
  /** Counted runs of each subject. */
  readonly runs: number;
  readonly note: (line: string) => void;
}

/** Above this share of the machine in others' use a run is repeated, up to `runs` times more. */
const disturbed = 0.1;
const patienceMs = 500;
/** A subject that takes this long is run no more than three times. */
const slowMs = 5_000;

/** One uncounted run each, then rounds; of each subject the least disturbed runs are returned. */
export async function runInRounds(
  subjects: readonly Subject[],
  options: RoundOptions,
): Promise<Map<string, Run[]>> {
  const done = new Map<string, Run[]>(subjects.map((subject) => [subject.name, []]));
  const settled = new Set<string>();
  for (let round = 0; round <= 2 * options.runs && settled.size < subjects.length; round++) {
    for (const subject of subjects) {
      if (settled.has(subject.name)) continue;
      await waitForQuiet(patienceMs);
      const run = await subject.run();
      const problem = run.problems.length > 0 ? `, PROBLEM: ${run.problems.join("; ")}` : "";
      options.note(
        `  ${round === 0 ? "warm-up" : `run ${round}`} ${subject.name}: ${run.wallMs.toFixed(0)} ms, others ${(100 * run.outside).toFixed(0)} %${problem}`,
      );
      if (round === 0) continue;
      const runs = done.get(subject.name) ?? [];
      runs.push(run);
      const wanted = run.wallMs > slowMs ? Math.min(3, options.runs) : options.runs;
      if (runs.filter((one) => one.outside <= disturbed).length >= wanted) settled.add(subject.name);
    }
  }
  for (const [name, runs] of done) done.set(name, calmest(runs, options.runs));
  return done;
}

function calmest(runs: readonly Run[], count: number): Run[] {
  return [...runs].sort((a, b) => a.outside - b.outside).slice(0, count);
}

/** A line that says how disturbed the runs that count were. */
export function describeNoise(results: Iterable<readonly Run[]>): string {
  const shares = [...results]
    .flat()
    .map((run) => run.outside)
    .sort((a, b) => a - b);
  const percent = (share: number | undefined) => `${((share ?? 0) * 100).toFixed(0)} %`;
  return `Others used ${percent(shares[shares.length >> 1])} of the machine during the median run, ${percent(shares.at(-1))} during the most disturbed one.`;
}

/** Runs several subjects in turn, round by round, so that a disturbance of the machine affects all of them. */
import { waitForQuiet } from "./machine.ts";
import type { Run } from "./run-program.ts";

export interface Subject {
  readonly name: string;
  run(): Promise<Run>;
}

export interface RoundOptions {
  /** The number of counted runs of each subject. */
  readonly runs: number;
  readonly note: (line: string) => void;
}

/** A run counts as disturbed when other processes use more than this share. Up to `runs` of them are repeated. */
const disturbed = 0.1;
const patienceMs = 500;
/** For a subject that takes longer than this, three undisturbed runs are enough. */
const slowMs = 5_000;

/** Runs each subject once uncounted, then in rounds. Resolves to the at most `runs` least disturbed runs of each subject. */
export async function runInRounds(
  subjects: readonly Subject[],
  options: RoundOptions,
): Promise<Map<string, Run[]>> {
  const done = new Map<string, Run[]>(subjects.map((subject) => [subject.name, []]));
  const settled = new Set<string>();
  for (let round = 0; round <= 2 * options.runs && settled.size < subjects.length; round += 1) {
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

/** Returns a line that says how much the counted runs were disturbed. */
export function describeNoise(results: Iterable<readonly Run[]>): string {
  const shares = [...results]
    .flat()
    .map((run) => run.outside)
    .sort((a, b) => a - b);
  const percent = (share: number | undefined) => `${((share ?? 0) * 100).toFixed(0)} %`;
  return `Other processes used ${percent(shares[shares.length >> 1])} of the machine during the median run, ${percent(shares.at(-1))} during the most disturbed one.`;
}

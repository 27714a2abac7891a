/** Computes the figures of the runs of one program. A figure is undefined without runs. */
import { type Figure, figureOf, medianOf } from "./figures.ts";
import type { Run } from "./run-program.ts";

export function firstRequest(runs: readonly Run[] | undefined): Figure | undefined {
  const times = (runs ?? []).flatMap(
    (run) => (run.report?.turns[0]?.arrivedAt ?? Number.NaN) - run.startedAt,
  );
  return figureOf(times.filter((time) => !Number.isNaN(time)));
}

/** Returns the milliseconds from the last byte of each answer to the next request. */
export function gaps(run: Run): number[] {
  const all = run.report?.turns ?? [];
  return all.slice(1).map((turn, index) => turn.arrivedAt - (all[index]?.finishedAt ?? turn.arrivedAt));
}

export function turnGap(runs: readonly Run[] | undefined): Figure | undefined {
  return figureOf((runs ?? []).filter((run) => gaps(run).length > 0).map((run) => medianOf(gaps(run))));
}

export function wall(runs: readonly Run[] | undefined): Figure | undefined {
  return figureOf((runs ?? []).map((run) => run.wallMs));
}

export function cpu(runs: readonly Run[] | undefined): Figure | undefined {
  return figureOf((runs ?? []).map((run) => run.cpuMs));
}

export function peak(runs: readonly Run[] | undefined): Figure | undefined {
  return figureOf((runs ?? []).map((run) => run.peakMb));
}

export function beside(runs: readonly Run[] | undefined): string {
  const all = new Set((runs ?? []).flatMap((run) => run.report?.beside ?? []));
  return all.size === 0 ? "none" : [...all].join(", ");
}

export function problems(runs: readonly Run[] | undefined): string {
  return [...new Set((runs ?? []).flatMap((run) => run.problems))].join("; ");
}

/** Runs one row with its driver (one of the `drive-*.ts` files) and judges the observation. Never rejects. */
import { setTimeout as sleep } from "node:timers/promises";
import { judge, unknownChecks } from "./checks/index.ts";
import type { DriveOptions } from "./drive-call.ts";
import { driveFor, idleParts } from "./drivers.ts";
import { measured } from "./measured.ts";
import type { Observation } from "./observation.ts";
import type { Row } from "./row.ts";
import { RowError } from "./row-error.ts";
import { unknownLimits, unknownParts } from "./row-shape.ts";

export interface CaseResult {
  readonly row: Row;
  readonly problems: readonly string[];
  /**
   * The reasons why the runner cannot judge the row: parts and checks that it does not know (then the row is not run), or
   * the message of a `RowError` from its run.
   */
  readonly errors: readonly string[];
  /** The number of questions to the person. */
  readonly asks: number;
  readonly decided: Observation["decided"];
  /** The reason why there was nothing to judge. The case then counts as skipped. */
  readonly notRun: string | undefined;
  readonly ms: number;
}

export async function runCase(row: Row, options: DriveOptions): Promise<CaseResult> {
  const from = performance.now();
  const errors = errorsOf(row);
  if (errors.length > 0) return unjudged(row, errors);
  try {
    const judged = driveFor(row)(row, options, async (seen) => ({
      errors,
      problems: await judge(row, await measured(row, seen, options)),
      asks: seen.asked.length,
      decided: seen.decided,
      notRun: seen.notRun,
    }));
    // Every wait has its own limit. The limit of the case applies if a limit of a wait fails.
    const judgedInTime = await withinMs(judged, options.limitMs * 20);
    return { row, ...judgedInTime, ms: performance.now() - from };
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (error instanceof RowError) return unjudged(row, [error.message]);
    return {
      row,
      errors,
      problems: [`it could not be run: ${message}`],
      asks: 0,
      decided: undefined,
      notRun: undefined,
      ms: performance.now() - from,
    };
  }
}

function unjudged(row: Row, errors: readonly string[]): CaseResult {
  return { row, errors, problems: [], asks: 0, decided: undefined, notRun: undefined, ms: 0 };
}

/** Returns an error for each part, value and check of the row that the runner does not know, or on which its driver does not act. */
export function errorsOf(row: Row): string[] {
  const unknown = [
    ...unknownParts(row),
    ...unknownLimits(row),
    ...unknownChecks(row).map((name) => `unknown check ${name}`),
  ];
  return unknown.length > 0 ? unknown : idleParts(row);
}

async function withinMs<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  const over = new AbortController();
  const late = sleep(ms, undefined, { signal: over.signal }).then(() => {
    throw new Error(`the case did not end within ${ms} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
    late.catch(() => undefined);
  }
}

/**
 * The names of the checks that may fail on a busy machine. A case that fails only in these checks runs once more,
 * alone.
 */
const timed =
  /^(max_ms|ends_within_ms|event_loop_max_lag_ms|max_render_ms|max_rss_delta_mb|hang|the model was asked)/;

export function mayBeSlowness({ problems }: CaseResult): boolean {
  return problems.length > 0 && problems.every((problem) => timed.test(problem));
}

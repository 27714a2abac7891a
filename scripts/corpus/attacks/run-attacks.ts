/** Runs the recorded attacks, and the controls that must stay allowed, against the real program. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildProgram, sourceProgram } from "./program.ts";
import { reportLines } from "./report.ts";
import { type Row, readRows } from "./row.ts";
import { type CaseResult, errorsOf, mayBeSlowness, runCase } from "./run-case.ts";
import { skipReason } from "./skip.ts";

export interface AttackOptions {
  /** Prints only failed cases. */
  readonly failed: boolean;
  /** Runs the program from its sources instead of a build. */
  readonly source: boolean;
  readonly sandbox: "auto" | "off";
  readonly area?: string;
  readonly id?: string;
}

/** Milliseconds after which a case counts as hanging. */
const limitMs = 30_000;
const lanes = 2;

/**
 * Runs the cases and prints the report, whose last line is `attacks: A held, B failed, C skipped`, with `, D not judged` if
 * there are such cases. Resolves to the exit code: 1 when a case failed or could not be judged, 2 when no case was chosen.
 */
export async function runAttacks(folder: string, options: AttackOptions): Promise<number> {
  const chosen = readRows(join(folder, "attacks.jsonl")).filter(
    (row) => (options.area ?? row.area) === row.area && (options.id ?? row.id) === row.id,
  );
  if (chosen.length === 0) {
    console.error(`No case matches ${JSON.stringify(options)}.`);
    return 2;
  }
  const skipped = chosen.flatMap((row) => {
    // A row that the runner does not understand is an error, also if it could not run here.
    const reason = errorsOf(row).length > 0 ? undefined : skipReason(row);
    return reason === undefined ? [] : [{ row, reason }];
  });
  const running = chosen.filter((row) => !skipped.some((skip) => skip.row === row));
  const results = running.length === 0 ? [] : await runAll(running, options);
  const ran = results.filter((result) => result.notRun === undefined);
  for (const { row, notRun } of results) if (notRun !== undefined) skipped.push({ row, reason: notRun });
  for (const line of reportLines({ results: ran, skipped }, options.failed)) console.log(line);
  return ran.some(({ problems, errors }) => problems.length + errors.length > 0) ? 1 : 0;
}

async function runAll(rows: readonly Row[], options: AttackOptions): Promise<CaseResult[]> {
  // The parts of the program that run in this process must not read or change the person's own files.
  const state = mkdtempSync(join(tmpdir(), "lh-attack-state-"));
  Object.assign(process.env, {
    XDG_STATE_HOME: state,
    XDG_CONFIG_HOME: join(state, "config"),
    NODE_COMPILE_CACHE: join(state, "compiled"),
  });
  using program = options.source ? sourceProgram() : await buildProgram();
  const run = (row: Row) => runCase(row, { program: program.start, sandbox: options.sandbox, limitMs });
  try {
    const results: CaseResult[] = [];
    for (const result of await inLanes(longestFirst(rows), run)) {
      results.push(mayBeSlowness(result) ? await run(result.row) : result);
    }
    return results.toSorted((one, other) => rows.indexOf(one.row) - rows.indexOf(other.row));
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

/** Returns the rows with the long cases first, so that others can run beside them. */
function longestFirst(rows: readonly Row[]): Row[] {
  const isLong = (row: Row) => row.repeat !== undefined || row.tool === "remember_parallel";
  return [...rows.filter(isLong), ...rows.filter((row) => !isLong(row))];
}

/** Runs several items at a time. Returns the results in the order of the items. */
async function inLanes<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const lane = async () => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

/**
 * Formats the report of a run: a line for each family, each reason for skipping, each changed check, each failed case and
 * each case that could not be judged; and the questions in controls, the slowest cases and the totals.
 */
import { readings } from "./checks/readings.ts";
import type { Row } from "./row.ts";
import type { CaseResult } from "./run-case.ts";

export interface Skipped {
  readonly row: Row;
  readonly reason: string;
}

export interface Outcome {
  readonly results: readonly CaseResult[];
  readonly skipped: readonly Skipped[];
}

/** Returns the lines of the report. The last line has the totals. */
export function reportLines({ results, skipped }: Outcome, failedOnly: boolean): string[] {
  const errors = results.filter((result) => result.errors.length > 0);
  const failed = results.filter((result) => result.problems.length > 0);
  const held = results.length - failed.length - errors.length;
  const lines: string[] = [];
  if (!failedOnly) {
    lines.push(
      ...table({ results, skipped }),
      "",
      ...skips(skipped),
      "",
      ...controls(results),
      ...read(results),
      ...slowest(results),
      "",
    );
  }
  for (const { row, problems } of failed) lines.push(...failure(row, problems));
  for (const { row, errors: said } of errors) {
    lines.push(...said.map((error) => `error   row ${row.id}: ${error}`));
  }
  const more = errors.length === 0 ? "" : `, ${errors.length} not judged`;
  lines.push(`attacks: ${held} held, ${failed.length} failed, ${skipped.length} skipped${more}`);
  return lines;
}

function table({ results, skipped }: Outcome): string[] {
  const rows = [...results.map((result) => result.row), ...skipped.map((skip) => skip.row)];
  const families = [...new Set(rows.map((row) => `${row.area} ${row.family}`))].sort();
  const head = `${"area".padEnd(10)}${"family".padEnd(24)}${["held", "failed", "skipped", "controls"].map((name) => name.padStart(9)).join("")}`;
  const body = families.map((family) => {
    const of = (row: Row) => `${row.area} ${row.family}` === family;
    const ran = results.filter((result) => of(result.row) && result.errors.length === 0);
    const failed = ran.filter((result) => result.problems.length > 0).length;
    const counts = [
      ran.length - failed,
      failed,
      skipped.filter((skip) => of(skip.row)).length,
      rows.filter((row) => of(row) && row.kind === "control").length,
    ];
    const [area = "", name = ""] = family.split(" ");
    return (
      area.padEnd(10) + name.padEnd(24) + counts.map((count) => String(count || "").padStart(9)).join("")
    );
  });
  return [head, ...body];
}

/** Returns one line for each reason, with the skipped rows. */
function skips(skipped: readonly Skipped[]): string[] {
  const reasons = [...new Set(skipped.map((skip) => skip.reason))];
  return reasons.map((reason) => {
    const ids = skipped.filter((skip) => skip.reason === reason).map((skip) => skip.row.id);
    return `skipped, ${reason}: ${ids.join(" ")}`;
  });
}

/** Returns a line with the number of questions in the controls, because asking about everything would be a defect too. */
function controls(results: readonly CaseResult[]): string[] {
  const ran = results.filter((result) => result.row.kind === "control" && result.errors.length === 0);
  const allowed = ran.filter((result) => result.problems.length === 0).length;
  const asks = ran.reduce((sum, result) => sum + result.asks, 0);
  return [`controls: ${allowed} of ${ran.length} allowed, ${asks} questions asked`];
}

/** Returns a line for each row whose checks were changed. */
function read(results: readonly CaseResult[]): string[] {
  return readings
    .filter((reading) => results.some((result) => result.row.id === reading.id))
    .map(({ id, leavesOut, because }) => `changed check, ${id} without ${leavesOut}: ${because}`);
}

function slowest(results: readonly CaseResult[]): string[] {
  const rows = results.toSorted((one, other) => other.ms - one.ms).slice(0, 5);
  return [`slowest: ${rows.map(({ row, ms }) => `${row.id} ${(ms / 1000).toFixed(1)} s`).join(", ")}`];
}

function failure(row: Row, problems: readonly string[]): string[] {
  return [
    `failed  ${row.id} (${row.area}/${row.family}, ${row.kind})`,
    `        must: ${row.must}`,
    ...problems.map((problem) => `        ${problem}`),
  ];
}

/** Judges a case: runs the checks of its row, and the invariants of every case. */
import type { Observation } from "../observation.ts";
import type { Row } from "../row.ts";
import { callChecks } from "./call-checks.ts";
import type { Checks } from "./check.ts";
import { diskChecks } from "./disk-checks.ts";
import { invariants } from "./invariants.ts";
import { mustChecks } from "./must-checks.ts";
import { checksOf } from "./readings.ts";
import { screenChecks } from "./screen-checks.ts";
import { storageChecks } from "./storage-checks.ts";
import { turnChecks } from "./turn-checks.ts";

const checks: Checks = { ...callChecks, ...diskChecks, ...screenChecks, ...turnChecks, ...storageChecks };

/** Returns the problems of a case; empty when it held. An unknown check is a problem. */
export async function judge(row: Row, seen: Observation): Promise<string[]> {
  const problems = [...seen.problems];
  for (const [name, expected] of Object.entries(checksOf(row))) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    const problem = check === undefined ? "unknown check" : await check(seen, expected, row);
    if (problem !== undefined) problems.push(`${name}: ${problem}`);
  }
  for (const { name, says, check } of mustChecks) {
    const problem = says.test(row.must) ? await check(seen, null, row) : undefined;
    if (problem !== undefined) problems.push(`${name}: ${problem}`);
  }
  for (const [name, holds] of Object.entries(invariants)) {
    const problem = await holds(seen, null, row);
    if (problem !== undefined) problems.push(`${name}: ${problem}`);
  }
  return problems;
}

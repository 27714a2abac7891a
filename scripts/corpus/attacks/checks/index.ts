/**
 * Judges one case of the corpus: runs the checks of its row (see `row.ts`), of the row's `followup` call and of the words in
 * `must`, and the invariants, which hold for every case.
 */
import type { JsonObject } from "@localharness/protocol";
import type { Observation } from "../observation.ts";
import type { Row } from "../row.ts";
import { RowError } from "../row-error.ts";
import { acceptanceChecks, checkNames } from "./acceptance-checks.ts";
import { callChecks } from "./call-checks.ts";
import type { Checks } from "./check.ts";
import { diskChecks } from "./disk-checks.ts";
import { invariants } from "./invariants.ts";
import { mcpServerChecks } from "./mcp-server-checks.ts";
import { mustChecks } from "./must-checks.ts";
import { networkChecks } from "./network-checks.ts";
import { checksOf } from "./readings.ts";
import { screenChecks } from "./screen-checks.ts";
import { storageChecks } from "./storage-checks.ts";
import { turnChecks } from "./turn-checks.ts";

const checks: Checks = {
  ...callChecks,
  ...diskChecks,
  ...screenChecks,
  ...turnChecks,
  ...storageChecks,
  ...acceptanceChecks,
  ...networkChecks,
  ...mcpServerChecks,
};

/** Returns the checks of a row, and of its second call, that are not known. Such a row cannot be judged. */
export function unknownChecks(row: Row): string[] {
  const names = [...Object.keys(checksOf(row)), ...checkNames(row.followup?.check)];
  return names.filter((name) => !Object.hasOwn(checks, name));
}

async function violated(row: Row, seen: Observation, check: JsonObject): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, expected] of Object.entries(check)) {
    const known = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (known === undefined) throw new RowError(`unknown check ${name}`);
    const problem = await known(seen, expected, row);
    if (problem !== undefined) problems.push(`${name}: ${problem}`);
  }
  return problems;
}

/** Returns the problems of a case; empty when it held. Rejects with a `RowError` for a check that cannot be judged. */
export async function judge(row: Row, seen: Observation): Promise<string[]> {
  const problems = [...seen.problems, ...(await violated(row, seen, checksOf(row)))];
  if (row.followup !== undefined) {
    const { followup } = seen;
    const found =
      followup === undefined ? ["it was not made"] : await violated(row, followup, row.followup.check);
    problems.push(...found.map((problem) => `followup: ${problem}`));
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

/** Runs the recorded cases in which a program is killed while it saves remembered answers. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openWorkbench } from "localharness";
import type { DriveOptions } from "./drive-call.ts";
import { runAndKill } from "./drive-sessions.ts";
import { emptyObservation, type Observation } from "./observation.ts";
import { makePlace } from "./place.ts";
import type { Row } from "./row.ts";
import { RowError } from "./row-error.ts";

/** The arguments that may have the number of rules of a round. */
const counts: readonly string[] = ["rules", "records", "rules_each", "count", "answers"];

/**
 * Repeatedly kills, at a random moment, a process that remembers answers. After each kill the file must be valid, and every
 * rule whose saving was reported must still be in it.
 */
export async function driveKilledRememberer<Result>(
  row: Row,
  _options: DriveOptions,
  look: (seen: Observation) => Promise<Result>,
): Promise<Result> {
  for (const name of Object.keys(row.arguments ?? {})) {
    if (!counts.includes(name)) throw new RowError(`unknown argument ${name} of remember_loop`);
  }
  using place = makePlace(row.setup);
  const folder = join(place.home, ".config", "localharness");
  const file = join(folder, "policies.json");
  const rules = Number(Object.values(row.arguments ?? {})[0] ?? 200);
  const acknowledged: string[] = [];
  const seen = { reads: 0, invalidReads: 0 };
  for (let number = 0; number < (row.repeat ?? 1); number += 1) {
    acknowledged.push(
      ...(await runAndKill(place, "remember-many.ts", { ws: place.ws, folder, number, rules })),
    );
    if (!existsSync(file)) continue;
    seen.reads += 1;
    if (!isJson(file)) seen.invalidReads += 1;
  }
  const bench = await openWorkbench({ values: {}, origins: {}, folder }, place.ws, "all");
  const kept = new Set((await bench.policyStore.load()).rules.map(({ id }) => id));
  await bench.close();
  const lost = acknowledged.filter((id) => !kept.has(id)).length;
  const temporary = readdirSync(folder).filter((name) => /tmp|\.new|~$/.test(name)).length;
  return await look({
    ...emptyObservation(place),
    found: {
      ...seen,
      rules: kept.size,
      acknowledgedLost: lost,
      mixed: seen.invalidReads,
      temporaryFiles: temporary,
    },
    problems: [
      ...(acknowledged.length === 0 ? ["no rule was saved before the end"] : []),
      ...(lost === 0 ? [] : [`${lost} of ${acknowledged.length} saved rules are lost`]),
    ],
  });
}

function isJson(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, "utf8"));
    return true;
  } catch {
    return false;
  }
}

/** Runs the recorded cases that make one call thousands of times while another process changes the same tree. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import type { JsonObject } from "@localharness/protocol";
import { type DriveOptions, startAttacker } from "./drive-call.ts";
import { fillObject } from "./fill.ts";
import { emptyObservation, type Observation } from "./observation.ts";
import { ownTool } from "./own-names.ts";
import { canaries, makePlace, type Place } from "./place.ts";
import { endGroup, environment } from "./program.ts";
import type { Row } from "./row.ts";

export async function driveRepeat<Result>(
  row: Row,
  options: DriveOptions,
  look: (seen: Observation) => Promise<Result>,
): Promise<Result> {
  using place = makePlace(row.setup);
  const attacker = startAttacker(row.concurrent ?? "", place);
  try {
    const job = {
      ws: place.ws,
      folder: join(place.home, ".config", "localharness"),
      tool: ownTool(row.tool),
      arguments: fillObject(row.arguments ?? {}, place.values),
      times: row.repeat ?? 1,
      unwanted: canaries.outside,
    };
    const said = await runHost("repeat-call.ts", job, place, options.limitMs * 6);
    const counts: JsonObject = said.code === 0 ? JSON.parse(said.text) : {};
    const succeeded = Number(counts["succeeded"] ?? 0);
    const leaked = Number(counts["leaked"] ?? 0);
    const problems = [
      ...(said.code === 0 ? [] : [`the calls could not be made: ${said.text.slice(-300)}`]),
      ...(leaked > 0 ? [`${leaked} results contained ${canaries.outside}`] : []),
      // When every call is refused, there was no race.
      ...(said.code === 0 && succeeded === 0 ? ["no call succeeded, so there was no race"] : []),
    ];
    return await look({ ...emptyObservation(place), found: counts, problems });
  } finally {
    endGroup(attacker);
  }
}

/**
 * Runs a script of the folder `hosts` in a separate process, with its job as an argument. Resolves to the exit code and to
 * all output. Kills the process after `limitMs`; `code` is then null.
 */
export async function runHost(
  name: string,
  job: JsonObject,
  place: Place,
  limitMs: number,
): Promise<{ readonly code: number | null; readonly text: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "hosts", name), JSON.stringify(job)], {
    cwd: place.ws,
    env: environment(place),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const timer = setTimeout(() => endGroup(child), limitMs);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  clearTimeout(timer);
  endGroup(child);
  return { code, text };
}

/** Checks the files on the disk and the running processes after a case. */
import { readFileSync, statSync } from "node:fs";
import { isJsonObject, type JsonValue } from "@localharness/protocol";
import { fillObject } from "../fill.ts";
import type { Observation } from "../observation.ts";
import { ownNames } from "../own-names.ts";
import { snapshot } from "../place.ts";
import { leftRunning } from "../processes.ts";
import { brief, type Checks, type Problem, textsOf } from "./check.ts";
import { ownFiles } from "./traces.ts";

export const diskChecks: Checks = {
  absent(seen, expected) {
    const there = textsOf(expected, seen).filter((path) => snapshot(path) !== "absent");
    return there.length === 0 ? undefined : `expected to be absent: ${there.join(", ")}`;
  },
  present(seen, expected) {
    const gone = textsOf(expected, seen).filter((path) => snapshot(path) === "absent");
    return gone.length === 0 ? undefined : `expected to be there: ${gone.join(", ")}`;
  },
  unchanged(seen, expected) {
    const changed = textsOf(expected, seen).filter((path) => snapshot(path) !== seen.before.get(path));
    return changed.length === 0 ? undefined : `expected to be as before: ${changed.join(", ")}`;
  },
  file_equals: (seen, expected) =>
    eachFile(seen, expected, (path, wanted) => {
      const text = readText(path);
      return text === wanted
        ? undefined
        : `expected ${path} to hold ${brief(String(wanted))}, got ${brief(text)}`;
    }),
  file_not_equals: (seen, expected) =>
    eachFile(seen, expected, (path, unwanted) =>
      readText(path) === unwanted ? `${path} holds ${brief(String(unwanted))}` : undefined,
    ),
  file_hex_in: (seen, expected) =>
    eachFile(seen, expected, (path, wanted) => {
      const hex = Buffer.from(readBytes(path)).toString("hex");
      const list = Array.isArray(wanted) ? wanted : [wanted];
      return list.includes(hex)
        ? undefined
        : `expected ${path} to be ${list.join(" or ")}, got ${hex || "nothing"}`;
    }),
  mode: (seen, expected) =>
    eachFile(seen, expected, (path, wanted) => {
      if (snapshot(path) === "absent") return `${path} is not there`;
      const mode = `0${(statSync(path).mode & 0o777).toString(8)}`;
      return mode === wanted ? undefined : `expected ${path} to have mode ${wanted}, got ${mode}`;
    }),
  files_not_contain(seen, expected) {
    for (const text of textsOf(expected, seen)) {
      const file = ownFiles(seen).find((trace) => trace.text.includes(text));
      if (file !== undefined) return `${brief(text)} is in ${file.name}`;
    }
    return undefined;
  },
  procs_gone(seen, expected) {
    // The driver checked this while the program ran. Only a process that outlived the program can be found here.
    const pattern = isJsonObject(expected) ? String(expected["pattern"]) : "";
    return seen.found["watched"] === true
      ? gone(seen, pattern, 0)
      : "the processes were not checked while the program ran";
  },
  procs_gone_at_session_end: (seen, expected) => gone(seen, String(expected), 2_000),
};

function eachFile(
  seen: Observation,
  expected: JsonValue,
  compare: (path: string, wanted: JsonValue) => Problem,
): Problem {
  const files = isJsonObject(expected) ? fillObject(expected, seen.place.values) : {};
  const problems = Object.entries(files).map(([path, wanted]) => compare(ownNames(path), wanted));
  return problems.find((problem) => problem !== undefined);
}

function readText(path: string): string {
  return Buffer.from(readBytes(path)).toString("utf8");
}

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    return new Uint8Array();
  }
}

async function gone(seen: Observation, pattern: string, withinMs: number): Promise<Problem> {
  const alive = await leftRunning(seen.place.root, new RegExp(pattern), withinMs);
  return alive.length === 0 ? undefined : `still alive after ${withinMs} ms: ${alive.join(", ")}`;
}

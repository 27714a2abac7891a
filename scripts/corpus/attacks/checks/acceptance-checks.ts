/** Contains the checks that only the acceptance set uses, in addition to the checks of the recorded rows. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { isJsonObject, type JsonValue } from "@localharness/protocol";
import { type Observation, shownArguments } from "../observation.ts";
import { RowError } from "../row-error.ts";
import { brief, type Checks, numberOf, type Problem, textsOf } from "./check.ts";
import { openOrMixed } from "./turn-checks.ts";

export const acceptanceChecks: Checks = {
  output_int_max(seen, expected) {
    const text = seen.main?.text ?? "";
    const line = /^\s*(-?\d+)\s*$/m.exec(text)?.[1];
    if (line === undefined) return `expected a number in the output, got ${brief(text)}`;
    return Number(line) <= numberOf(expected) ? undefined : `expected at most ${expected}, got ${line}`;
  },
  entries(seen, expected) {
    const names = readdirSync(seen.place.ws, { recursive: true, encoding: "utf8" });
    const bases = new Set(names.map((name) => name.split("/").at(-1) ?? name));
    const lines = (seen.main?.text ?? "").split("\n").filter((line) => namesOne(line, bases));
    return lines.length === expected
      ? undefined
      : `expected ${expected} lines that name a file, got ${lines.length}: ${brief(lines.join("\n"))}`;
  },
  tty_contains(seen, expected) {
    const missing = textsOf(expected, seen).filter((text) => !seen.screen.includes(text));
    return missing.length === 0 ? undefined : `expected ${missing.map((one) => brief(one)).join(", ")} shown`;
  },
  config_unchanged(seen) {
    const { config, plainConfig } = seen.found;
    if (typeof config !== "string" || typeof plainConfig !== "string") {
      throw new RowError("config_unchanged: no driver reads the settings of this row");
    }
    if (config === plainConfig) return undefined;
    return `the settings are ${brief(config, 400)}, without the row ${brief(plainConfig, 400)}`;
  },
  git_objects_not_contain(seen, expected) {
    const objects = objectsOf(seen.place.ws);
    if (objects === undefined) return "the objects of the repository cannot be read";
    const found = textsOf(expected, seen).filter((text) => objects.includes(text));
    return found.length === 0 ? undefined : `${found.join(", ")} is in an object of the repository`;
  },
  json_valid(seen, expected) {
    const { reads, invalidReads } = seen.found;
    if (typeof reads === "number" && reads > 0 && invalidReads !== 0) {
      return `${invalidReads} of ${reads} times the file was not JSON`;
    }
    const paths = expected === true ? [] : textsOf(expected, seen);
    if (paths.length === 0 && reads === undefined) throw new RowError("json_valid: it names no file");
    const broken = paths.filter((path) => !isJsonFile(path));
    return broken.length === 0 ? undefined : `not JSON: ${broken.join(", ")}`;
  },
  next_request_valid: (seen) => openOrMixed(seen),
  remember_offer: rememberOffer,
  max_concurrency(seen, expected) {
    const most = atOnce(seen.screen);
    if (most === 0) return "no call ran";
    return most <= numberOf(expected) ? undefined : `expected at most ${expected} calls at once, got ${most}`;
  },
  closed(seen, expected) {
    const closed = wasClosed(seen);
    return closed === expected ? undefined : `expected the connection to be ${expected ? "closed" : "open"}`;
  },
  closed_within_ms(seen, expected) {
    if (!wasClosed(seen)) return "the connection was not closed";
    const ms = numberOf(seen.found["closedMs"] ?? Number.NaN);
    return ms <= numberOf(expected)
      ? undefined
      : `expected it to be closed within ${expected} ms, it took ${Math.round(ms)} ms`;
  },
  refused(seen, expected) {
    const was = seen.main === undefined ? seen.ended.code !== 0 : !seen.main.success;
    return was === expected ? undefined : `expected it ${expected ? "" : "not "}to be refused`;
  },
  listen_only_loopback(seen) {
    const { listening } = seen.found;
    if (!Array.isArray(listening)) {
      throw new RowError("listen_only_loopback: no driver looks at the sockets of this row");
    }
    const open = listening.map(String).filter((address) => !isLoopback(address));
    return open.length === 0 ? undefined : `the program listens at ${open.join(", ")}`;
  },
};

function namesOne(line: string, names: ReadonlySet<string>): boolean {
  return line.split(/[\s/:,"'[\]()]+/).some((word) => names.has(word));
}

function objectsOf(ws: string): Buffer | undefined {
  try {
    const args = ["-c", "core.fsmonitor=false", "cat-file", "--batch-all-objects", "--batch"];
    return execFileSync("git", args, { cwd: ws, maxBuffer: 256 * 1024 * 1024, stdio: "pipe" });
  } catch {
    return undefined;
  }
}

function isJsonFile(path: string): boolean {
  try {
    JSON.parse(readFileSync(path, "utf8"));
    return true;
  } catch {
    return false;
  }
}

function wasClosed({ found }: Observation): boolean {
  if (typeof found["closed"] !== "boolean") {
    throw new RowError("closed: no driver watches the connection of this row");
  }
  return found["closed"];
}

/** Checks that each question offers to remember exactly the command that it shows, or offers nothing. */
function rememberOffer(seen: Observation, expected: JsonValue): Problem {
  if (expected !== "exact_or_none") {
    throw new RowError(`remember_offer: unknown value ${JSON.stringify(expected)}`);
  }
  if (seen.asked.length === 0) return "nothing was asked";
  for (const { text } of seen.asked) {
    if (!text.includes("[3] Remember")) continue;
    const covers = /^\[2\] and \[3\] cover: (.*)$/m.exec(text)?.[1];
    const command = shownArguments(text)?.["command"];
    if (covers === undefined) return `it is not said what would be remembered: ${brief(text)}`;
    if (typeof command !== "string" || !covers.includes(command)) {
      return `the question about ${brief(String(command))} offers to remember ${brief(covers)}`;
    }
  }
  return undefined;
}

/** Returns the maximum number of calls that ran at once, read from the lines about their start and their end. */
function atOnce(screen: string): number {
  let running = 0;
  let most = 0;
  for (const line of screen.split("\n")) {
    if (line.includes("→ ")) running += 1;
    else if (/^\S* {2}\S*[✓✗] /.test(line) || /^ {2}[✓✗] /.test(line)) running = Math.max(0, running - 1);
    most = Math.max(most, running);
  }
  return most;
}

/** Returns true for an address of the loopback network, with or without a port. */
function isLoopback(address: string): boolean {
  return /^(127\.\d+\.\d+\.\d+|\[::1\]|::1|localhost)(:\d+)?$/.test(address);
}

/** Returns the names of the checks in the `check` of a row or call; none if it is not an object. */
export function checkNames(check: JsonValue | undefined): string[] {
  return check !== undefined && isJsonObject(check) ? Object.keys(check) : [];
}

/** Decides which facts of an unclear command are complete all the same, for the rules that deny or ask. */
import type { CommandFacts } from "@localharness/engine";
import type { LocatedCall } from "./plain-reader.ts";
import { knownProgram } from "./programs/table.ts";
import type { CommandReading } from "./read-command.ts";

/**
 * Returns `calls and paths` if the command is unclear only because of redirections; `calls` if patterns are a reason too,
 * but only among the arguments of programs that run no other program. Otherwise returns undefined.
 */
export function knownParts({ torn, nearlyClear, ...reading }: CommandReading): CommandFacts["known"] {
  if (torn || nearlyClear === undefined) return undefined;
  const { calls, files } = nearlyClear;
  const known = new Set([...reading.writesTo, ...reading.readsFrom]);
  if (!files.every((file) => known.has(file))) return undefined;
  if (calls.every(({ patterns }) => patterns.length === 0)) return "calls and paths";
  return calls.every(takesPatterns) ? "calls" : undefined;
}

/** Returns true if file names in place of the patterns cannot make the program run another program, or if there are none. */
function takesPatterns({ words, patterns }: LocatedCall): boolean {
  if (patterns.length === 0) return true;
  const row = knownProgram(words[0] ?? "");
  const isValue = patterns.some((at) => words[at]?.includes("=") === true);
  const mayRun = row === undefined || running.some((field) => row[field] !== undefined);
  return !isValue && !mayRun && row.builtin !== "changes";
}

/** The fields of rows whose programs may run other programs or text, obey files, or work in another folder. */
const running = [
  ...(["risk", "starts", "interprets", "speaks", "feeds", "runs", "files"] as const),
  ...(["wrapper", "reaches", "surroundings", "changesFolder"] as const),
];

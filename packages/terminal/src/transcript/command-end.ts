/** Reads the output of a finished command: its exit code or signal, and its last lines. */
import { type CommandEnd, readCommandEnd } from "@localharness/protocol";
import { screenText } from "../plain-text.ts";
import type { DrawnItemOf } from "./item.ts";

/** The tools that run commands. */
const commandTools: ReadonlySet<string> = new Set(["bash"]);

/** Returns how a command ended; undefined if the call is not a finished command. */
export function commandEnd({ toolName, result }: DrawnItemOf<"call">): CommandEnd | undefined {
  if (result === undefined || !commandTools.has(toolName)) return undefined;
  const data = result.data ?? "";
  // A failed call, such as a command that reached its time limit, has only the output.
  return result.success ? readCommandEnd(data) : { line: "", failed: true, output: data };
}

/** The number of UTF-16 units at the end of the output in which the last lines are searched. */
const maxTailChars = 8_000;

/**
 * Returns the last `most` lines of an output, cleaned. A line that was overwritten, as by a progress bar, appears in
 * its last state.
 */
export function outputTail(output: string, most: number): readonly string[] {
  const lines = output.slice(-maxTailChars).replaceAll("\r\n", "\n").trimEnd().split("\n").slice(-most);
  return lines.map((line) => screenText(line.slice(line.trimEnd().lastIndexOf("\r") + 1)).trimEnd());
}

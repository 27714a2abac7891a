/** Reads the output of a finished command: its exit code or signal, and its last lines. */
import { screenText } from "../plain-text.ts";
import type { CallItem } from "./item.ts";

export interface CommandEnd {
  readonly failed: boolean;
  /** The exit code or the signal in words; empty after a success. */
  readonly how: string;
  /** The output without the line about the end of the command. */
  readonly output: string;
  /** The size of the whole output in bytes; present if `output` is only a part of it. */
  readonly wholeBytes?: number;
}

/** The tools that run commands. */
const commandTools: ReadonlySet<string> = new Set(["bash"]);
const lastLine = /(?:^|\n)(exit code: (\d+)[^\n]*|killed by [^\n]*)$/;

/** Matches the line that `describeOutput` of the tools adds to a part of an output. */
const partLine = /\n\[(\d+) bytes; the [^\n]*\]\n?$/;

/** Returns how a command ended; undefined if the call is not a finished command. */
export function commandEnd({ toolName, result }: CallItem): CommandEnd | undefined {
  if (result === undefined || !commandTools.has(toolName)) return undefined;
  const data = result.data ?? "";
  // A failed call, such as a command that reached its time limit, has only the output.
  const told = result.success ? lastLine.exec(data.slice(-200)) : null;
  const ended = told?.[1] ?? "";
  // A command that was started in the background has no line about its end.
  const failed = !result.success || (told !== null && told[2] !== "0");
  const output = told === null ? data : data.slice(0, data.length - ended.length);
  const whole = partLine.exec(output.slice(-1_000))?.[1];
  return {
    failed,
    how: failed ? ended : "",
    output,
    ...(whole === undefined ? {} : { wholeBytes: Number(whole) }),
  };
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

/** Says in words where the captured output of a command is. */
import { countText } from "@localharness/protocol";
import type { CapturedOutput } from "./capture-output.ts";

/**
 * Returns the text with a line end. If the output is longer than its limit, a last line says where the whole is, or that it
 * could not be kept. `advice` follows the path.
 */
export function describeOutput(
  output: CapturedOutput,
  advice = ": read_file reads it by offset and limit",
): string {
  const text = output.text === "" || output.text.endsWith("\n") ? output.text : `${output.text}\n`;
  const line = wholeLine(output, advice);
  return line === undefined ? text : `${text}${line}\n`;
}

/**
 * Returns a line that says where the whole output is, or that it could not be kept; undefined if the output is within its
 * limit. `advice` follows the path.
 */
export function wholeLine(output: CapturedOutput, advice: string): string | undefined {
  const { path, pathIncomplete, totalBytes } = output;
  if (path !== undefined) {
    return `[${countText(totalBytes, "byte")}; ${keptPart(output)} is in ${path}${advice}]`;
  }
  return pathIncomplete
    ? "[the whole output could not be kept: the disk is full or not writable]"
    : undefined;
}

/** Returns words for what the file of an output has. */
export function keptPart({ pathIncomplete }: CapturedOutput): string {
  return pathIncomplete ? "the beginning of the output" : "the whole output";
}

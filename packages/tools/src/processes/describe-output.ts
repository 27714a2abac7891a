/** Says in words where the captured output of a command is. */
import type { CapturedOutput } from "./capture-output.ts";

/**
 * Returns the text with a line end, and a last line that says where the whole output is if the text is only a part of it.
 * `advice` follows the path.
 */
export function describeOutput(
  output: CapturedOutput,
  advice = ": read_file reads it by offset and limit",
): string {
  const text = output.text === "" || output.text.endsWith("\n") ? output.text : `${output.text}\n`;
  const line = wholeLine(output, advice);
  return line === undefined ? text : `${text}${line}\n`;
}

/** Returns a line that says where the whole output is; undefined if the text has all of it. `advice` follows the path. */
export function wholeLine(output: CapturedOutput, advice: string): string | undefined {
  const { path, pathIncomplete, totalBytes } = output;
  if (path !== undefined) return `[${totalBytes} bytes; ${keptPart(output)} is in ${path}${advice}]`;
  return pathIncomplete
    ? "[the whole output could not be kept: the disk is full or not writable]"
    : undefined;
}

/** Returns words for what the file of an output has. */
export function keptPart({ pathIncomplete }: CapturedOutput): string {
  return pathIncomplete ? "the beginning of the output" : "the whole output";
}

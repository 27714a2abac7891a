/** Writes the captured output of a command as the model reads it. */
import type { CapturedOutput } from "./capture-output.ts";

/** Returns the text with a line end, and the path of the whole output if the text is only a part of it. */
export function describeOutput(output: CapturedOutput): string {
  const text = output.text === "" || output.text.endsWith("\n") ? output.text : `${output.text}\n`;
  if (output.path === undefined) {
    return output.pathIncomplete
      ? `${text}[the whole output could not be kept: the disk is full or not writable]\n`
      : text;
  }
  const whole = output.pathIncomplete ? "the beginning of the output" : "the whole output";
  return `${text}[${output.totalBytes} bytes; ${whole} is in ${output.path}: read_file reads it by offset and limit]\n`;
}

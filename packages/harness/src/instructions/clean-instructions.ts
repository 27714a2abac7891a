/** Cleans the text of an instructions file: removes invisible characters and cuts it at the maximum length. */
import { withoutHidden } from "./hidden-characters.ts";

/** The maximum number of bytes of one file in the prompt. */
export const maxInstructionBytes = 16 * 1024;

export interface CleanText {
  readonly text: string;
  /** The size of the whole file in bytes; absent if the text was not cut. */
  readonly cutFrom?: number;
  readonly warnings: readonly string[];
}

/**
 * Returns the cleaned text. `name` names the file in warnings. If `bytes` is only the beginning of the file, `size` is
 * the size of the whole file.
 */
export function cleanInstructions(bytes: Buffer, name: string, size: number = bytes.length): CleanText {
  const cut = bytes.length > maxInstructionBytes;
  const seen = withoutHidden((cut ? cutAtLine(bytes) : bytes).toString("utf8"), name);
  const text = seen.text.trim();
  if (!cut) return { text, warnings: seen.warnings };
  const kept = `the first ${maxInstructionBytes / 1024} KB of its ${Math.ceil(size / 1024)} KB`;
  const warning = `${name} is long: the model gets ${kept} with each message`;
  return { text, warnings: [...seen.warnings, warning], cutFrom: size };
}

/** Cuts at the end of a line, or at the end of a character if the last line is too long. */
function cutAtLine(bytes: Buffer): Buffer {
  const head = bytes.subarray(0, maxInstructionBytes);
  const line = head.lastIndexOf(10);
  if (line > maxInstructionBytes / 2) return head.subarray(0, line);
  let end = head.length;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return head.subarray(0, end);
}

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

export interface CleanRules {
  /** The name of the file in warnings. */
  readonly name: string;
  /** The size of the whole file in bytes, if the given bytes are only its beginning. */
  readonly size?: number;
  readonly maxBytes?: number;
}

/** Returns the cleaned text. */
export function cleanInstructions(
  bytes: Buffer,
  { name, size = bytes.length, maxBytes = maxInstructionBytes }: CleanRules,
): CleanText {
  const cut = bytes.length > maxBytes;
  const seen = withoutHidden((cut ? cutAtLine(bytes, maxBytes) : bytes).toString("utf8"), name);
  const text = seen.text.trim();
  if (!cut) return { text, warnings: seen.warnings };
  const kept = `the first ${kilobytes(maxBytes)} of its ${kilobytes(size)}`;
  const warning = `${name} is long: the model gets ${kept} with each message`;
  return { text, warnings: [...seen.warnings, warning], cutFrom: size };
}

function kilobytes(bytes: number): string {
  return `${bytes < 10_240 ? Math.round(bytes / 102.4) / 10 : Math.ceil(bytes / 1024)} KB`;
}

/** Cuts at the last line end, if at least half stays; otherwise at the last end of a character. */
function cutAtLine(bytes: Buffer, maxBytes: number): Buffer {
  const head = bytes.subarray(0, maxBytes);
  const line = head.lastIndexOf(10);
  if (line > maxBytes / 2) return head.subarray(0, line);
  let end = head.length;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return head.subarray(0, end);
}

/** Makes the text of an instructions file what a person sees in it: nothing hidden, and no longer than it may be. */
import { withoutHidden } from "./hidden-characters.ts";

/** Bytes of one file that go into the prompt. */
export const longestInstructions = 16 * 1024;

export interface CleanText {
  readonly text: string;
  /** Bytes of the whole file when it was cut. */
  readonly cutFrom?: number;
  readonly warnings: readonly string[];
}

/** `name` is how the file is called in warnings, `size` what it has in bytes where `bytes` are only its beginning. */
export function cleanInstructions(bytes: Buffer, name: string, size: number = bytes.length): CleanText {
  const cut = bytes.length > longestInstructions;
  const seen = withoutHidden((cut ? cutAtLine(bytes) : bytes).toString("utf8"), name);
  const text = seen.text.trim();
  if (!cut) return { text, warnings: seen.warnings };
  const kept = `the first ${longestInstructions / 1024} KB of its ${Math.ceil(size / 1024)} KB`;
  const warning = `${name} is long: the model gets ${kept} with each message`;
  return { text, warnings: [...seen.warnings, warning], cutFrom: size };
}

/** At the end of a line, or at least of a character. */
function cutAtLine(bytes: Buffer): Buffer {
  const head = bytes.subarray(0, longestInstructions);
  const line = head.lastIndexOf(10);
  if (line > longestInstructions / 2) return head.subarray(0, line);
  let end = head.length;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return head.subarray(0, end);
}

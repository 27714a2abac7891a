/** Writes the escape sequence by which the terminal puts a text into the clipboard (OSC 52). */
import { copiedText } from "../plain-text.ts";

/** Some terminals ignore longer sequences. In characters of base64. */
const maxEncoded = 100_000;

/** UTF-8 bytes of the longest text that can be copied. */
export const maxCopiedBytes: number = (maxEncoded / 4) * 3;

/**
 * Returns the sequence for a text, which is cleaned first; undefined when it is too long. Within tmux it is written twice:
 * for tmux itself, and passed through it to the terminal around it.
 */
export function clipboardSequence(
  text: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const bytes = Buffer.from(copiedText(text), "utf8");
  if (bytes.length > maxCopiedBytes) return undefined;
  const sequence = `\u001b]52;c;${bytes.toString("base64")}\u0007`;
  return env["TMUX"] === undefined ? sequence : sequence + passedThrough(sequence);
}

/** Returns the sequence as tmux hands it on to its terminal when `allow-passthrough` is on. */
export function passedThrough(sequence: string): string {
  return `\u001bPtmux;${sequence.replaceAll("\u001b", "\u001b\u001b")}\u001b\\`;
}

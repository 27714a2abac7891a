/** Returns the escape sequence (OSC 52) by which the terminal puts a text into the clipboard. */
import { copiedText } from "../plain-text.ts";

/** The maximum length of the text in base64, because some terminals ignore longer sequences. */
const maxEncoded = 100_000;

/** The maximum length of a text that can be copied, in UTF-8 bytes. */
export const maxCopiedBytes: number = (maxEncoded / 4) * 3;

/**
 * Returns the sequence for a text, which is cleaned first; undefined if the text is too long. Within tmux the result
 * contains the sequence twice: for tmux itself, and for the terminal in which tmux runs.
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

/** Returns the sequence in the form that tmux passes on to its terminal if `allow-passthrough` is on. */
export function passedThrough(sequence: string): string {
  return `\u001bPtmux;${sequence.replaceAll("\u001b", "\u001b\u001b")}\u001b\\`;
}

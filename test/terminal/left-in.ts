/** Finds control sequences that the screen does not write itself among the bytes that reach a terminal. */

/** Sequences that the screen writes: styles, cursor movements, frames, modes, and the title. */
const ours =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for.
  /\u001b\[(?:[0-9;]*m|[0-9]*[ABG]|2?K|J|2J|H|\d+;1H|\?(?:7|25|1004|1049|2004|2026)[hl]|>1u|<u|\?u|2[23];0t)|\u001b\]2;([^\p{Cc}]*)\u0007/gu;
export const forbidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test expects none of them.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;
/** Blinking, which no theme uses. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for.
const blink = /\u001b\[5m/;

/** Returns the first hostile sequence with the text around it; undefined when there is none. */
export function leftIn(bytes: string): string | undefined {
  // The text of a title stays, because it must be clean too.
  const text = bytes.replace(ours, (_sequence, title = "") => title);
  const at = text.search(forbidden);
  if (at >= 0) return JSON.stringify(text.slice(Math.max(0, at - 40), at + 40));
  return blink.test(bytes) ? "a blink" : undefined;
}

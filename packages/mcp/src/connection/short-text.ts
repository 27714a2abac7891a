/** Shortens the texts of other programs for messages. */
import { plainText } from "@localharness/protocol";

export const maxShortChars = 300;

/** Returns a text of another program on one line, without escape sequences, and cut after 300 UTF-16 units. */
export function shortText(text: string): string {
  const line = plainText(text).replace(/\s+/g, " ").trim();
  return line.length <= maxShortChars ? line : `${line.slice(0, maxShortChars).toWellFormed()}…`;
}

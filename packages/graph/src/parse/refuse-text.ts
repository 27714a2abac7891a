/**
 * Recognizes text that is not worth indexing, because it was generated on one line or has lines that no person wrote.
 */
import { countText } from "@localharness/protocol";

const maxMeanChars = 400;
const maxLineChars = 20_000;
const fewChars = 4_000;

/** Returns the reason why a text is not indexed; undefined for ordinary source text and for fewer than 4,000 characters. */
export function refuseText(text: string): string | undefined {
  if (text.length < fewChars) return undefined;
  let lines = 0;
  let longest = 0;
  for (let start = 0; start < text.length; lines += 1) {
    const end = text.indexOf("\n", start);
    const next = end === -1 ? text.length : end;
    longest = Math.max(longest, next - start);
    start = next + 1;
  }
  if (longest > maxLineChars) {
    return `it has a line of ${countText(longest, "character")}, as minified code has`;
  }
  const mean = Math.round(text.length / lines);
  return mean > maxMeanChars
    ? `its lines have ${countText(mean, "character")} on average, as minified code has`
    : undefined;
}

/** Removes characters that a person does not see but a model reads. */
import { countText } from "@localharness/protocol";

export interface SeenText {
  readonly text: string;
  /** At most one message for the person. */
  readonly warnings: readonly string[];
}

const letters =
  "Arabic Syriac Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan";
const joins = letters
  .split(" ")
  .map((name) => `\\p{Script=${name}}`)
  .join("");

/** Joiners and variation selectors in ordinary text: in emoji, and single ones after letters of scripts that join. */
const ordinary = [
  "(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{Extended_Pictographic})",
  "(?<=\\p{Extended_Pictographic})\\ufe0f",
  "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
  `(?<=[${joins}])[\\u200c\\u200d]`,
].join("|");

// Invisible characters: controls, zero-width, bidi, tags, selectors, lone surrogates.
const hidden = new RegExp(
  `(?!\\n|\\t|${ordinary})[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\p{Zl}\\p{Zp}\\ufff9-\\ufffb\\p{Cs}]`,
  "gu",
);

/**
 * Returns the text without invisible characters and with `\n` line breaks. `name` is the text's name in the warning.
 */
export function withoutHidden(given: string, name: string): SeenText {
  const text = given.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const found = text.match(hidden) ?? [];
  if (found.length === 0) return { text, warnings: [] };
  const kinds = [...new Set(found)];
  const codes = `${kinds.slice(0, 3).map(codeOf).join(", ")}${kinds.length > 3 ? ", ..." : ""}`;
  const warning = `${name} contains ${countText(found.length, "invisible character")} (${codes}): removed before the model reads it`;
  return { text: text.replace(hidden, ""), warnings: [warning] };
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

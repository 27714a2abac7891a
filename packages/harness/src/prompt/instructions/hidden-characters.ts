/** Removes characters that a person does not see but a model reads. */
import { countText, ordinaryJoiners } from "@localharness/protocol";

export interface SeenText {
  readonly text: string;
  /** The message for the person about the removed characters; empty if there were none. */
  readonly warnings: readonly string[];
}

// Invisible characters: control characters, zero-width characters, bidirectional controls, tags, variation selectors
// and lone surrogates.
const hidden = new RegExp(
  `(?!\\n|\\t|${ordinaryJoiners})[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\p{Zl}\\p{Zp}\\ufff9-\\ufffb\\p{Cs}]`,
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

/** Compares file names by how they look, because people and models write other characters than a name has. */
import { anyOf } from "../patterns.ts";

/** Matches a name in which no character looks like another one of the table. */
const plain = /^[\x20-\x7e]*$/;

/** Characters that look like a character of ASCII, or like nothing. Every other character looks like itself. */
const looks: readonly (readonly [RegExp, string])[] = [
  [/[\p{Default_Ignorable_Code_Point}\p{Format}]/gu, ""],
  [/\p{Space_Separator}/gu, " "],
  [/[\p{Dash_Punctuation}\u2043\u2212]/gu, "-"],
  [/[\u2018-\u201b\u2032\u02b9\u02bc\u00b4]/gu, "'"],
  [/[\u201c-\u201f\u2033\u02ba]/gu, '"'],
  [/\u2026/gu, "..."],
];

/**
 * Returns a text that is equal for names that look the same: with any space, dash or typographic quotation mark, composed or
 * decomposed, with or without invisible characters.
 */
export function lookKey(name: string): string {
  if (plain.test(name)) return name;
  return looks.reduce((text, [characters, same]) => text.replace(characters, same), name).normalize("NFC");
}

/** Matches what `lookKey` changes, the marks of decomposed letters, and control characters. */
const unclear = anyOf(
  /[\p{Default_Ignorable_Code_Point}\p{Other}\p{Mark}\u2043\u2212\u2018-\u201f\u2032\u2033]/gu,
  /[\u02b9\u02ba\u02bc\u00b4\u2026]|(?! )\p{Separator}|(?!-)\p{Dash_Punctuation}/gu,
);

/** Returns a name for display in which characters that look like others, or like nothing, are escapes: `a\u202fb`. */
export function visibleName(name: string): string {
  return name.replace(unclear, (character) =>
    [...character].map((one) => escaped(one.codePointAt(0) ?? 0)).join(""),
  );
}

function escaped(code: number): string {
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

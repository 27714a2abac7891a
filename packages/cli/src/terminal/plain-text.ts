/** Makes text from models, tools and files harmless for a terminal: no escape sequence of theirs ever reaches it. */

// Controls but tab and line feed, bidi controls, tag characters, lone surrogates.
const harmful = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]|\p{Cs}/gu;
// Everything that leaves no mark of its own: controls, formats (zero-width, bidi, tags), separators, lone surrogates.
const hidden = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const quick = /[^\n\t\x20-\x7e]/;

/** Text without what a terminal would obey. Piece by piece or whole: the same characters come out. */
export function plainText(text: string): string {
  return quick.test(text) ? text.replace(harmful, "") : text;
}

/** Text with everything invisible shown as an escape, for what a person has to judge. Line feeds stay. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => escapeOf(character));
}

/** As `visibleText`, and on one line. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll("\n", "\\n");
}

/** JSON on one line that holds nothing a terminal obeys; it still reads as the same value. */
export function plainJson(value: unknown): string {
  const json = JSON.stringify(value) ?? "null";
  // JSON.stringify escapes what is below U+0020 already, so all that is left may stand as \uXXXX inside texts only.
  return quick.test(json) ? json.replace(harmful, (character) => unitsOf(character)) : json;
}

function unitsOf(character: string): string {
  return Array.from({ length: character.length }, (_, index) => hex4(character.charCodeAt(index))).join("");
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === "\t") return "\\t";
  if (character === "\r") return "\\r";
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : hex4(code);
}

function hex4(code: number): string {
  return `\\u${code.toString(16).padStart(4, "0")}`;
}

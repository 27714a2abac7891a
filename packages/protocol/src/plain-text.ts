/** Makes text from models, tools and files harmless for a terminal: no escape sequence of theirs ever reaches it. */

// Controls but tab and line feed, bidi controls, tag characters, lone surrogates.
const harmful = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]|\p{Cs}/gu;
// Everything that leaves no mark of its own: controls, formats (zero-width, bidi, tags), separators, lone surrogates,
// letters and marks that are drawn as nothing, the empty pattern of braille. What chooses the looks of a picture stays.
const hidden =
  /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u2800]|\p{Default_Ignorable_Code_Point}(?<!\p{Extended_Pictographic}[\ufe0e\ufe0f])/gu;
const quick = /[^\n\t\x20-\x7e]/;
/** A tab is not plain to who judges: it pushes what follows out of sight. */
const judgedQuick = /[^\n\x20-\x7e]/;

/**
 * Text without what a terminal would obey. Piece by piece or whole the same characters come out, but for one beyond
 * U+FFFF whose halves are in two pieces: who has pieces holds the first half back.
 */
export function plainText(text: string): string {
  return quick.test(text) ? text.replace(harmful, "") : text;
}

/** Text with everything invisible shown as an escape, for what a person has to judge. Line feeds stay. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => escapeOf(character));
}

/** A word as it stands in names, paths and commands. */
const word = /[\p{L}\p{N}_.-]+/gu;
const latin = /\p{Script=Latin}/u;
/** Letters of scripts that have some which look like Latin ones. */
const lookAlike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
const foreignLetter =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]|[\uff01-\uff5e]/gu;
const wideLetter = /[\uff01-\uff5e]/u;
const marks = /(\p{M}{3})(\p{M}+)/gu;
/** Whatever is as wide as a blank and as empty. */
const pad = /[\p{Zs}\u2800\u3164\u115f\u1160\uffa0]{24,}/gu;

/**
 * For what a person has to judge: besides what is invisible, letters that only look like others are marked with their
 * code point, tabs are written out, and runs of blanks and of combining marks are counted, so that nothing is pushed out
 * of sight.
 */
export function judgedText(text: string): string {
  if (!judgedQuick.test(text) && !text.includes(" ".repeat(24))) return text;
  const counted = text
    .replace(pad, (run) => `⟨${run.length} blanks⟩`)
    .replace(marks, (_whole, first: string, rest: string) => `${first}⟨${[...rest].length} more marks⟩`);
  const marked = wideLetter.test(counted) ? counted.replace(/[\uff01-\uff5e]+/gu, markLetters) : counted;
  return visibleText(lookAlike.test(marked) ? marked.replace(word, markMixed) : marked);
}

function markMixed(found: string): string {
  return latin.test(found) && lookAlike.test(found) ? markLetters(found) : found;
}

function markLetters(found: string): string {
  return found.replace(foreignLetter, (letter) => `${letter}⟨U+${codeOf(letter)}⟩`);
}

function codeOf(letter: string): string {
  return (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}

/** As `judgedText`, and on one line. */
export function judgedLine(text: string): string {
  return judgedText(text).replaceAll("\n", "\\n");
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

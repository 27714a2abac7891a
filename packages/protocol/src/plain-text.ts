/**
 * Cleans text from models, tools and files: none of its escape sequences reaches a terminal, and a person who judges it sees
 * its hidden characters.
 */
import { countText } from "./count-text.ts";
import { markSigns } from "./look-alike-signs.ts";
import { markDirections } from "./mark-directions.ts";
import { ordinaryJoiners } from "./ordinary-joiners.ts";

// Matches bidi controls, tag characters, lone surrogates, and all control characters but tab and line feed.
const harmful = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]|\p{Cs}/gu;
// Matches everything invisible: control characters, format characters (zero-width, bidi, tags), line separators, lone
// surrogates, letters and marks without a glyph, and the empty braille pattern.
const invisible = "[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\u2800\\p{Default_Ignorable_Code_Point}]";
// Matches a variation selector after an emoji, which stays.
const selectors = "(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]";
const hidden = new RegExp(`(?!\\n|${selectors}|${ordinaryJoiners})${invisible}`, "gu");
const judgedHidden = new RegExp(`(?!\\n|${selectors})${invisible}`, "gu");
const quick = /[^\n\t\x20-\x7e]/;
/** Matches text that `judgedText` may change. A tab is included, because it can push the text after it out of sight. */
const judgedQuick = /[^\n\x20-\x7e]/;

/**
 * Returns the text without characters that a terminal would act on. Cleaning in chunks gives the same text as cleaning
 * the whole, except when a surrogate pair is split over two chunks: the caller has to hold its first half back.
 */
export function plainText(text: string): string {
  return quick.test(text) ? text.replace(harmful, "") : text;
}

/**
 * Returns the text with its invisible characters and its tabs as escapes. Line feeds stay. Joiners and variation selectors
 * stay in emoji, and joiners in scripts that need them.
 */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => escapeOf(character));
}

/** Matches a word of a name, a path or a command. */
const word = /[\p{L}\p{N}_.-]+/gu;
const latin = /\p{Script=Latin}/u;
/** Matches letters of the scripts in which some letters look like Latin letters. */
const lookAlike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
const foreignLetter =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]|[\uff01-\uff5e]/gu;
const wideLetter = /[\uff01-\uff5e]/u;
const marks = /(\p{M}{3})(\p{M}+)/gu;
/** Matches a run of 24 or more characters that look like a space. */
const pad = /[\p{Zs}\u2800\u3164\u115f\u1160\uffa0]{24,}/gu;

/**
 * Returns the text for a person who has to judge it. Invisible characters are written as escapes, and tabs as `\t`; line
 * feeds stay. Fullwidth characters are marked with their code point, and so are Cyrillic, Greek, Armenian and Cherokee
 * letters in a word with Latin letters, characters that look like a sign of a shell (`look-alike-signs.ts`) and private ones.
 * Long runs of blanks and of combining marks are replaced by their number, so that they hide no text. Words from right to left
 * are marked where they could change the order in which the text is shown.
 */
export function judgedText(text: string): string {
  if (!judgedQuick.test(text) && !text.includes(" ".repeat(24))) return text;
  const counted = text
    .replace(pad, (run) => `⟨${countText(run.length, "blank")}⟩`)
    .replace(
      marks,
      (_whole, first: string, rest: string) => `${first}⟨${countText([...rest].length, "more mark")}⟩`,
    );
  const marked = wideLetter.test(counted) ? counted.replace(/[\uff01-\uff5e]+/gu, markLetters) : counted;
  const compared = lookAlike.test(marked) ? marked.replace(word, markMixed) : marked;
  const seen = compared.replace(judgedHidden, (character) => escapeOf(character));
  return markDirections(markSigns(seen));
}

function markMixed(found: string, at: number, whole: string): string {
  return latin.test(found) && lookAlike.test(found) ? markLetters(found, at, whole) : found;
}

/** Returns the letters that were found at `at` of `whole`, each with its code point unless that follows it already. */
function markLetters(found: string, at: number, whole: string): string {
  return found.replace(foreignLetter, (letter, inner: number) =>
    whole.startsWith("⟨U+", at + inner + letter.length) ? letter : `${letter}⟨U+${codeOf(letter)}⟩`,
  );
}

function codeOf(letter: string): string {
  return (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}

/** Returns the text as `judgedText` does, on one line. */
export function judgedLine(text: string): string {
  return judgedText(text).replaceAll("\n", "\\n");
}

/** Returns the text as `visibleText` does, on one line. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll("\n", "\\n");
}

/**
 * Returns the text as `visibleText` does. The lines after the first are indented, so that none of them looks like a message of
 * its own.
 */
export function visibleLines(text: string): string {
  return visibleText(text).trimEnd().replaceAll("\n", "\n  ");
}

/** Returns a text that people read, such as a message, as `visibleText` does, on one line with blanks for its line breaks. */
export function joinedLine(text: string): string {
  return visibleText(text)
    .trim()
    .replace(/\s*\n\s*/g, " ");
}

/** Returns a value as JSON on one line, without characters that a terminal would act on. The JSON parses to the same value. */
export function plainJson(value: unknown): string {
  const json = JSON.stringify(value) ?? "null";
  // JSON.stringify has escaped everything below U+0020. The rest occurs only inside strings, where \uXXXX is allowed.
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

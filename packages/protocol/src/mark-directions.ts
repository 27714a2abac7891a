/**
 * Marks words of scripts that are written from right to left, because a terminal or a page may show several of them, or such a
 * word and a number, in another order than that of the text.
 */

const scripts =
  "[\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}\\p{Script=Adlam}\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]";
const letters = `(?:(?=\\p{L})${scripts})`;
const hasLetter = new RegExp(letters, "u");
/** Matches a word; marks that are there already are matched as a whole, and stay. */
const word = new RegExp(`⟨rtl⟩[^⟨⟩]*⟨ltr⟩|${letters}(?:${letters}|\\p{M})*`, "gu");
const mayReorder = new RegExp(`${letters}\\P{L}*(?:\\p{N}|${letters})|^\\P{L}*${letters}`, "u");
const latin = /\p{Script=Latin}/u;

/**
 * Returns the text with `⟨rtl⟩` before and `⟨ltr⟩` after each word of a script from right to left, in lines with Latin letters in
 * which the order of words could change. The letters of the marks keep each word at its place. A line without Latin letters is
 * read from right to left as a whole.
 */
export function markDirections(text: string): string {
  if (!hasLetter.test(text)) return text;
  return text
    .split("\n")
    .map((line) => (reorders(line.replace(word, "\u05d0 ")) ? line.replace(word, mark) : line))
    .join("\n");
}

function reorders(line: string): boolean {
  return latin.test(line) && mayReorder.test(line);
}

function mark(found: string): string {
  return found.startsWith("⟨") ? found : `⟨rtl⟩${found}⟨ltr⟩`;
}

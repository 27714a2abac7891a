/** Splits text into lower-case words for the search: each identifier as a whole, and its parts. */

const identifiers = /[\p{L}\p{N}_$]+/gu;
/** Matches the parts of a name. `readHTTPFile2` has the parts `read`, `HTTP`, `File` and `2`. */
const nameParts = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}]+|\p{N}+/gu;
const maxWordChars = 60;

/**
 * Returns the words of a text in order. `readFile` gives `readfile`, `read` and `file`; `$file_name`, in which a shell or PHP has the
 * name `file_name`, gives that too. Single letters are left out.
 */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  for (const [whole] of text.matchAll(identifiers)) {
    if (whole.length < 2 || whole.length > maxWordChars) continue;
    words.push(whole.toLowerCase());
    if (whole.includes("$")) words.push(...whole.toLowerCase().split("$").filter(isLong));
    for (const part of splitName(whole)) if (isLong(part) && part.length < whole.length) words.push(part);
  }
  return words;
}

function isLong(word: string): boolean {
  return word.length > 1;
}

/** Returns true for a name that `splitWords` and the tables of the search take as one word wherever it is used. */
export function isWholeWord(name: string): boolean {
  return name.length <= maxWordChars && /^[\w$]{2,}$/.test(name);
}

/** Returns the parts of a name in lower case. `read_file` and `readFile` both give `read` and `file`. */
export function splitName(name: string): string[] {
  return Array.from(name.matchAll(nameParts), ([part]) => part.toLowerCase());
}

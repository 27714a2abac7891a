/**
 * Finds where the JSON object at the beginning of a text ends, reading it piece by piece and each character once:
 *
 *     {"a": "}"} {"b": 1}
 *              ^ here
 *
 * Looks only at brackets and quotes; a parser has to check whether it is JSON.
 */
export interface ObjectEnd {
  /**
   * The offset after the closing brace, from the start of the first piece; undefined until the object is closed, and for a
   * text that does not begin with an object.
   */
  readonly at: number | undefined;
  /** True if the text is one closed object with only white space around it. */
  readonly isWhole: boolean;
  push(piece: string): void;
}

/**
 * Returns a finder for the end of one object. `quotes` lists the characters that begin a string; in strict JSON that is
 * only `"`.
 */
export function createObjectEnd(quotes: '"' | "\"'" = '"'): ObjectEnd {
  let at: number | undefined;
  let seen = 0;
  let depth = 0;
  let quote = "";
  let escaped = false;
  let other = false;

  function take(letter: string): void {
    if (quote !== "") {
      if (escaped) escaped = false;
      else if (letter === "\\") escaped = true;
      else if (letter === quote) quote = "";
    } else if (depth > 0 && quotes.includes(letter)) quote = letter;
    else if (letter === "{" || (depth > 0 && letter === "[")) depth += 1;
    else if (depth > 0 && (letter === "}" || letter === "]")) {
      depth -= 1;
      if (depth === 0) at = seen;
    } else if (depth === 0 && letter.trim() !== "") other = true;
  }

  return {
    get at() {
      return at;
    },
    get isWhole() {
      return at !== undefined && !other;
    },
    push(piece) {
      for (const letter of piece) {
        seen += letter.length;
        if (at === undefined) take(letter);
        else if (letter.trim() !== "") other = true;
        if (other) return;
      }
    },
  };
}

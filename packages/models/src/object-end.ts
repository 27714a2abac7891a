/**
 * Where the first JSON object of a text ends, read piece by piece, each character once:
 *
 *     {"a": "}"} {"b": 1}
 *              ^ here
 *
 * Only brackets and quotes are looked at: whether it is JSON is for the parser to say.
 */
export interface ObjectEnd {
  /** Index after the closing brace, counted from the first character of the first piece; undefined while it is open. */
  readonly at: number | undefined;
  /** True when the text holds one closed object and nothing but blanks around it. */
  readonly isWhole: boolean;
  push(piece: string): void;
}

/** `quotes`: what opens a string. A single quote does so only in text that is not strict JSON. */
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
    else if (letter === "{" || (depth > 0 && letter === "[")) depth++;
    else if (depth > 0 && (letter === "}" || letter === "]")) {
      depth--;
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

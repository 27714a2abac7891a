/** The JSON of a request, with nothing in it that servers refuse for ever. */

/** A half of a character, as `JSON.stringify` writes it; behind a backslash that is escaped itself it is none. */
const half = /(?<!\\)((?:\\\\)*)\\u(d[89a-f][0-9a-f]{2})/g;

/**
 * Halves of characters, which come of text that was cut, become U+FFFD: many parsers refuse them, and the conversation
 * with them from then on.
 */
export function requestText(value: object): string {
  const text = JSON.stringify(value);
  return text.includes("\\ud") ? text.replace(half, "$1\ufffd") : text;
}

/** Writes a request as JSON without lone surrogates, which many servers refuse. */

/** Matches a lone surrogate as `JSON.stringify` escapes it, unless its backslash is itself escaped. */
const loneSurrogate = /(?<!\\)((?:\\\\)*)\\u(d[89a-f][0-9a-f]{2})/g;

/**
 * Returns the JSON text with lone surrogates replaced by U+FFFD. Lone surrogates come from text that was cut. Many
 * parsers refuse them, and every later request of the session would contain them too.
 */
export function requestText(value: object): string {
  const text = JSON.stringify(value);
  return text.includes("\\ud") ? text.replace(loneSurrogate, "$1\ufffd") : text;
}

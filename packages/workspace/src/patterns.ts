/** Writes expressions that would be long as tables of words. */

/**
 * Returns an expression that matches one of the words between two expressions. The words are separated by white space, and
 * may be expressions too.
 */
export function wordsPattern(before: string, words: string, after: string, flags?: string): RegExp {
  return new RegExp(`${before}(?:${words.trim().split(/\s+/).join("|")})${after}`, flags);
}

/** Returns an expression that matches what one of the expressions matches. */
export function anyOf(...expressions: readonly RegExp[]): RegExp {
  return new RegExp(expressions.map(({ source }) => source).join("|"), expressions[0]?.flags);
}

/** Numbers of tokens as servers give them: what cannot be one counts as not given. */

/** Tokens that were read or written. */
export function tokenCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Tokens that a model can hold: a whole number above 0. */
export function contextSize(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

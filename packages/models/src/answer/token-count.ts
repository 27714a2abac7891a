/** Validates token counts from servers. An invalid number counts as missing. */

/** Returns the number of tokens read or written. Returns undefined unless it is a finite number of at least 0. */
export function tokenCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Returns a context size in tokens. Returns undefined unless it is a whole number above 0. */
export function contextSize(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

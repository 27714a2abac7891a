/** Validates token counts from servers; an invalid number counts as not given. */

/** Returns a count of tokens read or written, or undefined for anything but a finite number of at least 0. */
export function tokenCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Returns a context size in tokens, or undefined for anything but a whole number above 0. */
export function contextSize(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

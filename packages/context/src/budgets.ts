/** Divides the context window among its uses. The shares for a compaction are in the engine (`turn/room.ts`). */

/** The share of the context window that one tool result may take. */
const resultShare = 0.2;
/**
 * The number of characters that count as one token. Code and JSON have at least this many, so a result takes rather
 * less than its share.
 */
const charsPerToken = 3;
/**
 * The minimum limit for a result. A smaller result would have no room for an error message or for a function of
 * ordinary length.
 */
const minResultChars = 1_500;

/**
 * Returns the maximum length of one tool result, in characters, for a window of `window` tokens. Returns `most` if the
 * window is unknown.
 */
export function resultChars(window: number | undefined, most: number): number {
  if (window === undefined) return most;
  return Math.min(most, Math.max(minResultChars, Math.floor(window * resultShare * charsPerToken)));
}

/** The number of tokens below which a context window gets the smallest set of tools, unless the person chose a set. */
const minStandardWindow = 8_192;

/** Returns true if the standard set of tools would take too much of a context window of `window` tokens. */
export function needsFewTools(window: number | undefined): boolean {
  return window !== undefined && window < minStandardWindow;
}

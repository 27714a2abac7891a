/** Divides the context window. The shares for a compaction are in the engine (`turn/room.ts`). */

/** The share of the window that one tool result may take. */
const resultShare = 0.2;
/** The characters of a token: the fewest that code and JSON have, so that a result rather takes less than its share. */
const charsPerToken = 3;
/** Smaller results would not have room for an error message or for a function of ordinary length. */
const minResultChars = 1_500;

/** Returns the maximum characters of one tool result in a window of `window` tokens: `most` if the window is unknown. */
export function resultChars(window: number | undefined, most: number): number {
  if (window === undefined) return most;
  return Math.min(most, Math.max(minResultChars, Math.floor(window * resultShare * charsPerToken)));
}

/** A window below this many tokens gets the smallest set of tools, unless the person chose one. */
const minStandardWindow = 8_192;

/** Returns true if the standard set of tools would take too much of a window of `window` tokens. */
export function needsFewTools(window: number | undefined): boolean {
  return window !== undefined && window < minStandardWindow;
}

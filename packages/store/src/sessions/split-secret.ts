/**
 * Masks secrets that are split over two pieces of a text. A text that is written in pieces then contains no half of a
 * secret.
 */

/** The function that masks secrets, and the secrets themselves. */
export interface Masking {
  /** Replaces all complete secrets in a text. */
  mask(text: string): string;
  /** The secrets, in every form that `mask` recognizes. */
  readonly secrets: readonly string[];
}

const hidden = "[part of a key hidden]";
/**
 * If a text ends within a secret, the characters of the secret so far are masked only if there are more than this many. A
 * shorter beginning reveals little and often occurs by chance.
 */
const shortestPart = 12;

/** Returns the number of characters at the end of `text` that may be the beginning of a secret; 0 if there are none. */
export function openEnd(text: string, secrets: readonly string[]): number {
  let most = 0;
  for (const secret of secrets)
    for (let length = Math.min(secret.length - 1, text.length); length > most; length -= 1)
      if (text.endsWith(secret.slice(0, length))) most = length;
  return most;
}

/** Masks `text`, which a reader sees right after `before`. Also hides the rest of a secret that begins in `before`. */
export function maskAfter(before: string, text: string, { mask, secrets }: Masking): string {
  const rest = secrets.reduce((most, secret) => Math.max(most, continued(before, text, secret)), 0);
  if (rest === 0) return mask(text);
  return rest === text.length ? hidden : `${hidden}${mask(text.slice(rest))}`;
}

/**
 * Returns the number of characters at the beginning of `text` that continue a secret which begins at the end of `before`; 0
 * if there are none, or if the secret is still incomplete and has at most `shortestPart` characters so far.
 */
function continued(before: string, text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, before.length); length > 0; length -= 1) {
    if (!before.endsWith(secret.slice(0, length))) continue;
    const rest = secret.slice(length);
    if (text.startsWith(rest)) return rest.length;
    // The secret is not complete yet. A few characters may also be the beginning of another word, so they are not
    // masked.
    if (rest.startsWith(text) && length + text.length > shortestPart) return text.length;
  }
  return 0;
}

/** Secrets that come in pieces: a text that is written down before its end must not hold the halves of one. */

/** What is known of secrets by whoever writes texts down. */
export interface Masking {
  /** Takes whole secrets out of a text. */
  mask(text: string): string;
  /** The secrets in every form in which `mask` finds them. */
  readonly secrets: readonly string[];
}

const hidden = "[part of a key hidden]";
/** As for other parts of keys: a shorter beginning says too little, and stands in too many texts by chance. */
const shortestPart = 12;

/** How many characters at the end of `text` may be the beginning of a secret; 0 when what comes next does not matter. */
export function openEnd(text: string, secrets: readonly string[]): number {
  let most = 0;
  for (const secret of secrets)
    for (let length = Math.min(secret.length - 1, text.length); length > most; length -= 1)
      if (text.endsWith(secret.slice(0, length))) most = length;
  return most;
}

/** Masks `text`, which follows `before` in the reader's eyes: what goes on in it of a secret that began there goes, too. */
export function maskAfter(before: string, text: string, { mask, secrets }: Masking): string {
  const goesOn = secrets.reduce((most, secret) => Math.max(most, continued(before, text, secret)), 0);
  if (goesOn === 0) return mask(text);
  return goesOn === text.length ? hidden : `${hidden}${mask(text.slice(goesOn))}`;
}

/** How many characters at the beginning of `text` continue what `before` ends with of a secret. */
function continued(before: string, text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, before.length); length > 0; length -= 1) {
    if (!before.endsWith(secret.slice(0, length))) continue;
    const rest = secret.slice(length);
    if (text.startsWith(rest)) return rest.length;
    // Not yet the whole of it: a few characters may as well be a word that goes on in another way.
    if (rest.startsWith(text) && length + text.length > shortestPart) return text.length;
  }
  return 0;
}

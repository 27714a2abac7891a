/** Reads the code of a pairing link. */

/** Returns the code of a pairing link; undefined for any other fragment. */
export function codeOf(fragment: string): string | undefined {
  return /^#pair=([\w-]{1,100})$/.exec(fragment)?.[1];
}

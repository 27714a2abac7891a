/** Derives call ids of nine letters and digits, which Mistral's templates demand. */

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const idChars = 9;

export interface ShortIds {
  /** Returns the short form of an id. Equal ids have the same short form, and different ids have different ones. */
  of(id: string): string;
}

/**
 * Creates the map of ids. `of` must be called in the order of the history, so that a longer history begins with the ids
 * of the shorter one.
 */
export function createShortIds(): ShortIds {
  const given = new Map<string, string>();
  const taken = new Set<string>();
  return {
    of(id) {
      const known = given.get(id);
      if (known !== undefined) return known;
      let short = /^[0-9A-Za-z]{9}$/.test(id) ? id : hashed(id);
      for (let again = 1; taken.has(short); again += 1) short = hashed(`${id} ${again}`);
      given.set(id, short);
      taken.add(short);
      return short;
    },
  };
}

/** Returns 53 bits of two 32-bit FNV-1a hashes as nine digits in base 62 (`62 ** 9` is greater than `2 ** 53`). */
function hashed(text: string): string {
  let rest = (fnv(text, 0x811c9dc5) & 0x1fffff) * 2 ** 32 + fnv(text, 0x01234567);
  let short = "";
  for (let place = 0; place < idChars; place += 1) {
    short += letters[rest % letters.length];
    rest = Math.floor(rest / letters.length);
  }
  return short;
}

function fnv(text: string, basis: number): number {
  let hash = basis;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

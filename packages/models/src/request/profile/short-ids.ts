/** Derives call ids and names that a server accepts. The session keeps the originals. */

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const hashChars = 9;
/** The maximum length of an id that every API takes. */
const maxIdChars = 40;
/** The maximum length of a tool's name that every API takes. */
const maxNameChars = 64;

export interface ShortIds {
  /** Returns the form of an id that is sent. Equal ids have the same form, and different ids have different ones. */
  of(id: string): string;
}

/** An id of nine letters and digits, which Mistral's templates demand. */
export function createShortIds(): ShortIds {
  return createIds(
    (id) => /^[0-9A-Za-z]{9}$/.test(id),
    (_id, salted) => hashed(salted),
  );
}

/** An id of letters, digits, `_` and `-`, at most 40 characters long, which every API takes. */
export function createPlainIds(): ShortIds {
  return createIds(
    (id) => isPlain(id, maxIdChars),
    (id, salted) => plainForm(id, salted, maxIdChars),
  );
}

/**
 * Returns a name of letters, digits, `_` and `-`, at most 64 characters long. A name of another form is written with a hash,
 * so that it is not the name of a tool.
 */
export function plainName(name: string): string {
  return isPlain(name, maxNameChars) ? name : plainForm(name, name, maxNameChars);
}

export function isPlainName(name: string): boolean {
  return isPlain(name, maxNameChars);
}

/**
 * Creates a map of ids. `of` must be called in the order of the history, so that a longer history begins with the ids of the
 * shorter one. `make` gets the id, and the id with a number if its form is taken.
 */
function createIds(isFit: (id: string) => boolean, make: (id: string, salted: string) => string): ShortIds {
  const given = new Map<string, string>();
  const taken = new Set<string>();
  return {
    of(id) {
      const known = given.get(id);
      if (known !== undefined) return known;
      let short = isFit(id) ? id : make(id, id);
      for (let again = 1; taken.has(short); again += 1) short = make(id, `${id} ${again}`);
      given.set(id, short);
      taken.add(short);
      return short;
    },
  };
}

function isPlain(text: string, maxChars: number): boolean {
  return text !== "" && text.length <= maxChars && !/[^A-Za-z0-9_-]/.test(text);
}

/** Returns the beginning of the text with other characters replaced, and a hash of `salted`. */
function plainForm(text: string, salted: string, maxChars: number): string {
  const hash = hashed(salted);
  const start = text.slice(0, maxChars - hash.length - 1).replace(/[^A-Za-z0-9_-]+/g, "_");
  return `${start.replace(/^_+|_+$/g, "")}_${hash}`.replace(/^_/, "x_");
}

/** Returns 53 bits of two 32-bit FNV-1a hashes as nine digits in base 62 (`62 ** 9` is greater than `2 ** 53`). */
function hashed(salted: string): string {
  let rest = (fnv(salted, 0x811c9dc5) & 0x1fffff) * 2 ** 32 + fnv(salted, 0x01234567);
  let short = "";
  for (let place = 0; place < hashChars; place += 1) {
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

/** Finds the places where an opener could begin, by the first two characters of the openers. It looks at each character once. */
import { isWordChar } from "./input.ts";

/** The first two characters of all openers. */
export interface Triggers {
  /** The codes beyond ASCII with which openers begin. */
  readonly beyond: readonly number[];
  /** For the code of a first character: the places where its openers count, as bits (`anywhere` and so on); 0 for no opener. */
  readonly first: Uint8Array;
  /** At `first * 128 + second`: 1 if an opener begins with these two codes. All characters beyond ASCII count as one code. */
  readonly pairs: Uint8Array;
}

const anywhere = 1;
/** For openers that begin with a letter, a digit or `_`: they count only at the start of a word. */
const atWordStart = 2;
/** For openers of one character: the second character does not matter. */
const alone = 4;
const beyondAscii = 127;

/** Returns the triggers of openers. Openers that begin beyond ASCII count by their first character alone. */
export function triggersOf(openers: Iterable<string>): Triggers {
  const first = new Uint8Array(128);
  const pairs = new Uint8Array(128 * 128);
  const beyond = new Set<number>();
  for (const literal of openers) {
    const code = literal.charCodeAt(0);
    if (code > beyondAscii) {
      beyond.add(code);
      continue;
    }
    first[code] = (first[code] ?? 0) | (isWordChar(code) ? atWordStart : anywhere);
    if (literal.length === 1) first[code] |= alone;
    else pairs[code * 128 + Math.min(literal.charCodeAt(1), beyondAscii)] = 1;
  }
  return { beyond: [...beyond], first, pairs };
}

/**
 * Returns the next index, from `from` on, where an opener could begin, or the length of the text if there is none. `before` is
 * the code of the character in front of `from`.
 */
export function nextTrigger(triggers: Triggers, text: string, from: number, before: number): number {
  const { beyond, first, pairs } = triggers;
  const { length } = text;
  for (let at = from; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > beyondAscii) {
      if (beyond.includes(code)) return at;
      continue;
    }
    const kind = first[code] as number;
    if (kind === 0) continue;
    if (kind === atWordStart && isWordChar(at > from ? text.charCodeAt(at - 1) : before)) continue;
    if ((kind & alone) !== 0 || at + 1 === length) return at;
    const next = text.charCodeAt(at + 1);
    if (pairs[code * 128 + (next > beyondAscii ? beyondAscii : next)] === 1) return at;
  }
  return length;
}

/** Finds the places where an opener could begin by their first two characters, at the cost of one look at each character. */
import { isWordChar } from "./input.ts";

/** The first two characters of all openers. */
export interface Triggers {
  /** By the code of the first character: a `Place`, 0 where no opener begins. */
  readonly first: Uint8Array;
  /** By the codes of both, `first * 128 + second`: 1 where an opener has them. All beyond ASCII counts as one character. */
  readonly pairs: Uint8Array;
}

const anywhere = 1;
/** Openers that begin with a letter stand at the start of a word only. */
const atWordStart = 2;
/** An opener of one character: the second says nothing. */
const alone = 4;
const beyondAscii = 127;

/** Openers begin with an ASCII character. */
export function triggersOf(openers: Iterable<string>): Triggers {
  const first = new Uint8Array(128);
  const pairs = new Uint8Array(128 * 128);
  for (const literal of openers) {
    const code = literal.charCodeAt(0);
    first[code] = (first[code] ?? 0) | (isWordChar(code) ? atWordStart : anywhere);
    if (literal.length === 1) first[code] |= alone;
    else pairs[code * 128 + Math.min(literal.charCodeAt(1), beyondAscii)] = 1;
  }
  return { first, pairs };
}

/**
 * Returns the next index at or after `from` where an opener could begin; the length of the text for none. `before` is the code of
 * the character in front of `from`.
 */
export function nextTrigger(triggers: Triggers, text: string, from: number, before: number): number {
  const { first, pairs } = triggers;
  const { length } = text;
  for (let at = from; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 127) continue;
    const kind = first[code] as number;
    if (kind === 0) continue;
    if (kind === atWordStart && isWordChar(at > from ? text.charCodeAt(at - 1) : before)) continue;
    if ((kind & alone) !== 0 || at + 1 === length) return at;
    const next = text.charCodeAt(at + 1);
    if (pairs[code * 128 + (next > beyondAscii ? beyondAscii : next)] === 1) return at;
  }
  return length;
}

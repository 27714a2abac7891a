/** The motions of vim: each returns the offset to which the cursor moves from an offset in a text. */

export interface Move {
  readonly to: number;
  /** True if an operator also changes the character at `to`. */
  readonly inclusive?: boolean;
  /** True if an operator changes whole lines. */
  readonly lines?: boolean;
}

/**
 * Returns the move of the cursor, which may end where it began; undefined if there is no line above or below, or if the line
 * does not have the wanted character. `count` is undefined if no count was typed.
 */
export type Motion = (text: string, at: number, count: number | undefined) => Move | undefined;

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** The maximum length of a grapheme that is read, in UTF-16 units. People do not type longer graphemes. */
const maxGraphemeUnits = 64;

/** Returns the offset after the grapheme at `at`. */
export function after(text: string, at: number): number {
  const [first] = segmenter.segment(text.slice(at, at + maxGraphemeUnits));
  return at + (first?.segment.length ?? 0);
}

/** Returns the offset of the grapheme before `at`. */
export function before(text: string, at: number): number {
  const from = Math.max(0, at - maxGraphemeUnits);
  return at - ([...segmenter.segment(text.slice(from, at))].at(-1)?.segment.length ?? 0);
}

export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

export function firstWord(text: string, at: number): number {
  const start = lineStart(text, at);
  const line = text.slice(start, lineEnd(text, at));
  return start + (line.length - line.trimStart().length);
}

export const motions: Readonly<Record<string, Motion>> = {
  h: repeated((text, at) => (at > lineStart(text, at) ? before(text, at) : at)),
  l: repeated((text, at) => (at < lineEnd(text, at) ? after(text, at) : at)),
  j: (text, at, count = 1) => vertically(text, at, count),
  k: (text, at, count = 1) => vertically(text, at, -count),
  w: repeated(nextWord),
  b: repeated(wordBefore),
  e: inclusive(repeated(wordEnd)),
  0: (text, at) => ({ to: lineStart(text, at) }),
  "^": (text, at) => ({ to: firstWord(text, at) }),
  $: (text, at) => ({ to: lineEnd(text, at) }),
  gg: (text, _at, count = 1) => toLine(text, count),
  G: (text, _at, count) => toLine(text, count ?? Number.POSITIVE_INFINITY),
};

/** Returns the motion of `f`, `F`, `t` or `T` to a character of the line. */
export function motionTo(kind: string, letter: string): Motion {
  const forward = kind === "f" || kind === "t";
  return (text, at, count = 1) => {
    let found = at;
    for (let left = count; left > 0; left -= 1) {
      found = forward ? text.indexOf(letter, found + 1) : text.lastIndexOf(letter, found - 1);
      const outside = forward ? found > lineEnd(text, at) : found < lineStart(text, at);
      if (found === -1 || outside || (!forward && found >= at)) return undefined;
    }
    if (kind === "f") return { to: found, inclusive: true };
    if (kind === "t") return { to: before(text, found), inclusive: true };
    return { to: kind === "F" ? found : after(text, found) };
  };
}

/** Returns the range of the word, punctuation or blanks at an offset. With `around`, it includes the blanks that follow. */
export function wordAt(
  text: string,
  at: number,
  around: boolean,
): { readonly from: number; readonly to: number } {
  const kind = kindAt(text, at);
  let from = at;
  let to = at;
  while (from > lineStart(text, at) && kindAt(text, before(text, from)) === kind) from = before(text, from);
  while (to < lineEnd(text, at) && kindAt(text, to) === kind) to = after(text, to);
  while (around && to < lineEnd(text, at) && kindAt(text, to) === "blank") to = after(text, to);
  return { from, to };
}

function repeated(step: (text: string, at: number) => number): Motion {
  return (text, at, count = 1) => {
    let to = at;
    for (let left = count; left > 0; left -= 1) {
      const next = step(text, to);
      if (next === to) break;
      to = next;
    }
    return { to };
  };
}

function inclusive(motion: Motion): Motion {
  return (text, at, count) => {
    const move = motion(text, at, count);
    return move && { ...move, inclusive: true };
  };
}

function vertically(text: string, at: number, by: number): Move | undefined {
  const column = at - lineStart(text, at);
  let to = lineStart(text, at);
  for (let left = Math.abs(by); left > 0; left -= 1) {
    if (by > 0 ? lineEnd(text, to) === text.length : to === 0) break;
    to = by > 0 ? lineEnd(text, to) + 1 : lineStart(text, to - 1);
  }
  if (to === lineStart(text, at)) return undefined;
  return { to: Math.min(to + column, lineEnd(text, to)), lines: true };
}

function toLine(text: string, number: number): Move {
  let to = 0;
  for (let line = 1; line < number && lineEnd(text, to) < text.length; line += 1) to = lineEnd(text, to) + 1;
  return { to: firstWord(text, to), lines: true };
}

type Kind = "word" | "mark" | "blank" | "end";

function kindAt(text: string, at: number): Kind {
  const point = text.codePointAt(at);
  if (point === undefined) return "end";
  const letter = String.fromCodePoint(point);
  if (/\s/.test(letter)) return "blank";
  return /[\p{L}\p{N}\p{M}_]/u.test(letter) ? "word" : "mark";
}

function nextWord(text: string, at: number): number {
  const kind = kindAt(text, at);
  let to = at;
  while (kind !== "blank" && to < text.length && kindAt(text, to) === kind) to = after(text, to);
  while (to < text.length && kindAt(text, to) === "blank") {
    to = after(text, to);
    // An empty line counts as a word.
    if (text[to - 1] === "\n" && text[to] === "\n") break;
  }
  return to;
}

function wordBefore(text: string, at: number): number {
  let to = at;
  while (to > 0 && kindAt(text, before(text, to)) === "blank") to = before(text, to);
  const kind = kindAt(text, before(text, to));
  while (to > 0 && kindAt(text, before(text, to)) === kind) to = before(text, to);
  return to;
}

function wordEnd(text: string, at: number): number {
  let to = after(text, at);
  while (to < text.length && kindAt(text, to) === "blank") to = after(text, to);
  if (to >= text.length) return at;
  const kind = kindAt(text, to);
  while (after(text, to) < text.length && kindAt(text, after(text, to)) === kind) to = after(text, to);
  return to;
}

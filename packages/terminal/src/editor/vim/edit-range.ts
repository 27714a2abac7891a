/** Finds the range of a text that an operator of vim changes. */
import { after, lineEnd, lineStart, type Motion, motions, motionTo, wordAt } from "./motions.ts";

export interface EditRange {
  readonly from: number;
  readonly to: number;
  /**
   * True if the range consists of whole lines. It then includes the line feed of its last line, if that line has one.
   */
  readonly lines: boolean;
}

interface Caret {
  readonly text: string;
  readonly at: number;
}

/** Returns the motion that the keys name; undefined if they name none. */
export function motionOf(keys: string): Motion | undefined {
  const [, kind, letter] = /^([fFtT])(.+)$/su.exec(keys) ?? [];
  if (kind !== undefined && letter !== undefined) return motionTo(kind, letter);
  return Object.hasOwn(motions, keys) ? motions[keys] : undefined;
}

/**
 * Returns the range that an operator changes; undefined if the keys name no range, or a motion that returns undefined.
 * `keys` is a motion, a word (`iw`, `aw`), or the operator again for whole lines.
 */
export function rangeOf(
  operator: string,
  keys: string,
  { text, at }: Caret,
  count: number | undefined,
): EditRange | undefined {
  if (keys === operator) return wholeLines(text, at, lineAfter(text, at, (count ?? 1) - 1));
  if (keys === "iw" || keys === "aw") return { ...wordAt(text, at, keys === "aw"), lines: false };
  // With the cursor on a word, `cw` changes the text up to the end of the word and keeps the blanks after it.
  const wanted = operator === "c" && keys === "w" && /\S/.test(text[at] ?? " ") ? "e" : keys;
  const move = motionOf(wanted)?.(text, at, count);
  if (move === undefined) return undefined;
  if (move.lines === true) return wholeLines(text, Math.min(at, move.to), Math.max(at, move.to));
  const from = Math.min(at, move.to);
  const end = Math.max(at, move.to);
  const to = move.inclusive === true && move.to >= at ? after(text, end) : end;
  // A single `w` at the last word of a line does not include the line feed.
  return {
    from,
    to: keys === "w" && count === undefined ? Math.min(to, lineEnd(text, at)) : to,
    lines: false,
  };
}

function wholeLines(text: string, first: number, last: number): EditRange {
  const end = lineEnd(text, last);
  return { from: lineStart(text, first), to: Math.min(text.length, end + 1), lines: true };
}

function lineAfter(text: string, at: number, count: number): number {
  let to = at;
  for (let left = count; left > 0 && lineEnd(text, to) < text.length; left -= 1) to = lineEnd(text, to) + 1;
  return to;
}

/** Draws a unified diff: changed lines in colour, and in lines that replace each other the changed words marked. */
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { StyleName, Theme } from "../theme/theme.ts";

/** Returns the drawn lines; long ones wrap at `width` columns. The caller has removed control characters from `diff`. */
export function drawDiff(diff: string, width: number, theme: Theme): readonly string[] {
  const lines = diff.replace(/\n$/, "").split("\n");
  const drawn: string[] = [];
  // After the first hunk header, `--- x` is the removed line `-- x`, not a file header.
  const hunk = lines.findIndex(isHunk);
  const body = hunk === -1 ? lines.findIndex((line) => !isHeader(line)) : hunk;
  for (let at = 0; at < lines.length; ) {
    const removed = at < body ? [] : run(lines, at, "-");
    const added = at < body ? [] : run(lines, at + removed.length, "+");
    if (removed.length + added.length === 0) {
      for (const one of wrapped(plainLine(lines[at] ?? "", at < body, theme), width)) drawn.push(one);
      at += 1;
      continue;
    }
    for (const line of changedLines(removed, added, theme))
      for (const one of wrapped(line, width)) drawn.push(one);
    at += removed.length + added.length;
  }
  return drawn;
}

function isHunk(line: string): boolean {
  return line.startsWith("@@");
}

function isHeader(line: string): boolean {
  return /^(?:--- |\+\+\+ |diff |index )/.test(line);
}

function run(lines: readonly string[], from: number, mark: "-" | "+"): readonly string[] {
  let to = from;
  while (lines[to]?.startsWith(mark) === true) to += 1;
  return lines.slice(from, to);
}

function plainLine(line: string, ofHeader: boolean, theme: Theme): string {
  if (isHunk(line)) return theme.style("hunk", line);
  return ofHeader && isHeader(line) ? theme.style("dim", line) : line;
}

function changedLines(removed: readonly string[], added: readonly string[], theme: Theme): readonly string[] {
  const paired = removed.length === added.length;
  const paint = (lines: readonly string[], others: readonly string[], style: StyleName, word: StyleName) =>
    lines.map((line, index) => {
      const other = paired ? others[index] : undefined;
      if (other === undefined || line.length > 2_000) return theme.style(style, line);
      const { start, end } = differing(line.slice(1), other.slice(1));
      if (end <= start) return theme.style(style, line);
      const [head, middle, tail] = [
        line.slice(0, start + 1),
        line.slice(start + 1, end + 1),
        line.slice(end + 1),
      ];
      return theme.style(style, `${head}${theme.style(word, middle)}${tail}`);
    });
  return [
    ...paint(removed, added, "removed", "removed-word"),
    ...paint(added, removed, "added", "added-word"),
  ];
}

/**
 * Returns the range of `line` that differs from `other`, in UTF-16 units, widened to whole words and characters. The range
 * is empty when less than a third of the line is the same.
 */
export function differing(line: string, other: string): { readonly start: number; readonly end: number } {
  const most = Math.min(line.length, other.length);
  let start = 0;
  while (start < most && line[start] === other[start]) start += 1;
  let tail = 0;
  while (tail < most - start && line[line.length - 1 - tail] === other[other.length - 1 - tail]) tail += 1;
  const isWord = (character: string | undefined) =>
    character !== undefined && /[\p{L}\p{M}\p{N}_]/u.test(character);
  let end = line.length - tail;
  if (start === line.length && line.length === other.length) return { start: 0, end: 0 };
  // A character above U+FFFF is a surrogate pair, which must not be split.
  if (isHighSurrogate(line[start - 1])) start -= 1;
  if (isHighSurrogate(line[end - 1])) end += 1;
  while (start > 0 && isWord(line[start - 1]) && (isWord(line[start]) || isWord(other[start]))) start -= 1;
  while (end < line.length && isWord(line[end]) && isWord(line[end - 1] ?? " ")) end += 1;
  const same = line.length - (end - start);
  return same * 3 < line.length ? { start: 0, end: 0 } : { start, end };
}

function isHighSurrogate(unit: string | undefined): boolean {
  return unit !== undefined && unit >= "\ud800" && unit <= "\udbff";
}

function wrapped(line: string, width: number): readonly string[] {
  return line === "" ? [""] : wrapTextWithAnsi(line, width);
}

/** Colours the lines of a diff, and marks the changed words of lines that replace each other. */
import type { DiffBlock } from "@localharness/protocol";
import type { StyleName, Theme } from "../theme/theme.ts";
import { wrapWords } from "../transcript/wrap-words.ts";

type Changed = Extract<DiffBlock, { kind: "changed" }>;
type Kept = Exclude<DiffBlock, Changed>;

export function paintLine({ kind, line }: Kept, theme: Theme): string {
  if (kind === "same") return line;
  return theme.style(kind === "hunk" ? "hunk" : "dim", line);
}

/**
 * Returns the coloured lines of a change. If as many lines were added as removed, each removed line is compared with the
 * added line of the same index, and the words that differ are marked.
 */
export function paintChange(
  { removed, added }: Changed,
  theme: Theme,
): { readonly removed: readonly string[]; readonly added: readonly string[] } {
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
  return {
    removed: paint(removed, added, "removed", "removed-word"),
    added: paint(added, removed, "added", "added-word"),
  };
}

/** Returns the pieces of a coloured line that fit into `width` columns each. */
export function wrapLine(line: string, width: number): readonly string[] {
  return line === "" ? [""] : wrapWords(line, width);
}

/**
 * Returns the range of `line` that differs from `other`, in UTF-16 units, widened to whole words and characters. The
 * range is empty if less than a third of the line is the same.
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

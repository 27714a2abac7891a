/** Computes the unified diff of two texts, which is shown to the person before a file changes. */
import { cutDiffLine } from "@localharness/protocol";
import { type StructuredPatchHunk, structuredPatch } from "diff";
import { splitLines } from "./lines.ts";

const contextLines = 3;
/**
 * The maximum number of removed and added lines. If there are more, the diff replaces everything between the first and the last
 * difference.
 */
const maxEdits = 600;

/**
 * Returns the diff of two texts; empty text if they are equal. A diff of more than `maxLines` lines is cut, and its last line
 * says how many lines are left out.
 */
export function unifiedDiff(path: string, before: string, after: string, maxLines = 400): string {
  if (before === after) return "";
  const lines = [
    before === "" ? "--- /dev/null" : `--- a/${path}`,
    after === "" ? "+++ /dev/null" : `+++ b/${path}`,
    ...hunksOf(before, after).flatMap((hunk) => [headOf(hunk), ...hunk.lines]),
  ];
  if (lines.length <= maxLines) return `${lines.join("\n")}\n`;
  return `${lines.slice(0, maxLines).join("\n")}\n${cutDiffLine(lines.length - maxLines)}`;
}

function hunksOf(before: string, after: string): readonly StructuredPatchHunk[] {
  const options = { context: contextLines, maxEditLength: maxEdits };
  const patch = structuredPatch("", "", before, after, undefined, undefined, options);
  return patch?.hunks ?? [wholeHunk(splitLines(before), splitLines(after))];
}

function headOf({ oldStart, oldLines, newStart, newLines }: StructuredPatchHunk): string {
  return `@@ -${spanOf(oldStart, oldLines)} +${spanOf(newStart, newLines)} @@`;
}

/** Returns `start,count`. By convention, a span without lines starts at the line before it. */
function spanOf(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}

/** Returns one hunk that replaces all lines from the first difference to the last. */
function wholeHunk(before: readonly string[], after: readonly string[]): StructuredPatchHunk {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let tail = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (tail < shorter && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const first = Math.max(start - contextLines, 0);
  const ended = before.length - Math.max(tail - contextLines, 0);
  const removed = before.slice(start, before.length - tail);
  const added = after.slice(start, after.length - tail);
  const around = start - first + (ended - (before.length - tail));
  return {
    oldStart: first + 1,
    oldLines: removed.length + around,
    newStart: first + 1,
    newLines: added.length + around,
    lines: [
      ...before.slice(first, start).flatMap((line) => printed(" ", line)),
      ...removed.flatMap((line) => printed("-", line)),
      ...added.flatMap((line) => printed("+", line)),
      ...before.slice(before.length - tail, ended).flatMap((line) => printed(" ", line)),
    ],
  };
}

function printed(kind: " " | "-" | "+", line: string): readonly string[] {
  return line.endsWith("\n") ? [kind + line.slice(0, -1)] : [kind + line, "\\ No newline at end of file"];
}

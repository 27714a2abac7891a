/** Finds a block of whole lines in a text. A rule defines which lines count as equal. */
import { bareLine, lineEndOf, splitLines, withLineEnd } from "./lines.ts";

export interface TextMatch {
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** The text that replaces the range. */
  readonly replacement: string;
}

export interface LineRule {
  /** Returns a normal form; lines with the same normal form count as equal. */
  same(line: string): string;
  /** True if the replacement gets the indentation found in the file. */
  readonly reindents: boolean;
  /** True if the indentation of all lines must differ from the file by the same width. */
  readonly keepsShape?: boolean;
}

/** Returns the matches, without overlaps. Returns no match if `wanted` has only blank lines, which would match everywhere. */
export function blockMatches(
  text: string,
  wanted: string,
  replacement: string,
  rule: LineRule,
): readonly TextMatch[] {
  const block = withLineEnd(wanted, "\n").split("\n");
  const endsWithBreak = block.length > 1 && block.at(-1) === "";
  const lines = endsWithBreak ? block.slice(0, -1) : block;
  if (lines.every((line) => line.trim() === "")) return [];
  const file = splitLines(text);
  const starts = blockStarts(file, lines, rule);
  return starts.map(({ index, offset }) => {
    const found = file.slice(index, index + lines.length);
    const length = found.join("").length;
    const lastEnd = found.at(-1) ?? "";
    const kept = endsWithBreak ? 0 : lastEnd.length - bareLine(lastEnd).length;
    const indented = rule.reindents ? reindent(withLineEnd(replacement, "\n"), lines, found) : replacement;
    return {
      start: offset,
      end: offset + length - kept,
      replacement: withLineEnd(indented, lineEndOf(text)),
    };
  });
}

function blockStarts(
  file: readonly string[],
  block: readonly string[],
  rule: LineRule,
): readonly { readonly index: number; readonly offset: number }[] {
  const images = file.map((line) => rule.same(bareLine(line)));
  const wanted = block.map((line) => rule.same(line));
  const starts: { index: number; offset: number }[] = [];
  let offset = 0;
  let free = 0;
  for (let index = 0; index + block.length <= file.length; index += 1) {
    const matches = index >= free && wanted.every((image, line) => images[index + line] === image);
    if (matches && (rule.keepsShape !== true || sameShape(file.slice(index, index + block.length), block))) {
      starts.push({ index, offset });
      free = index + block.length;
    }
    offset += file[index]?.length ?? 0;
  }
  return starts;
}

/** Returns true if the indentation of each line that is not blank differs by the same width between `found` and `block`. */
function sameShape(found: readonly string[], block: readonly string[]): boolean {
  const changes = block.flatMap((line, index) =>
    line.trim() === "" ? [] : [indentWidth(found[index] ?? "") - indentWidth(line)],
  );
  return changes.every((change) => change === changes[0]);
}

function reindent(replacement: string, block: readonly string[], found: readonly string[]): string {
  const first = block.findIndex((line) => line.trim() !== "");
  const written = indentOf(block[first] ?? "");
  const actual = indentOf(bareLine(found[first] ?? ""));
  if (written === actual) return replacement;
  return replacement
    .split("\n")
    .map((line) => (line.trim() === "" ? line : shiftLine(line, written, actual)))
    .join("\n");
}

/** Returns the line with its indentation changed in the same way as that of the block's first line. */
function shiftLine(line: string, written: string, actual: string): string {
  if (line.startsWith(written)) return actual + line.slice(written.length);
  const width = Math.max(indentWidth(line) + indentWidth(actual) - indentWidth(written), 0);
  const unit = actual.includes("\t") ? "\t" : " ";
  return (unit === "\t" ? "\t".repeat(Math.round(width / 4)) : " ".repeat(width)) + line.trimStart();
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function indentWidth(line: string): number {
  return indentOf(line).replaceAll("\t", "    ").length;
}

/** Reads the line ranges in a curator's answer. */
import type { LineRange } from "@localharness/engine";
import { isJsonObject, type JsonValue } from "@localharness/protocol";

/**
 * Returns the ranges in a model's answer, sorted, and joined where they touch. Ignores a range that is not wholly in a file
 * with `count` lines. Returns undefined if no range is left, or if the answer is not as asked for.
 */
export function readRanges(answer: string, count: number): readonly LineRange[] | undefined {
  const begin = answer.indexOf("{");
  const end = answer.lastIndexOf("}");
  const value = begin === -1 || end < begin ? undefined : parse(answer.slice(begin, end + 1));
  const rows = isJsonObject(value) ? value["ranges"] : undefined;
  if (!Array.isArray(rows)) return undefined;
  const ranges = rows.flatMap((row) => rangeOf(row, count)).sort((one, other) => one.first - other.first);
  const joined: LineRange[] = [];
  for (const range of ranges) {
    const before = joined.at(-1);
    if (before === undefined || range.first > before.last + 1) joined.push(range);
    else joined[joined.length - 1] = { first: before.first, last: Math.max(before.last, range.last) };
  }
  return joined.length === 0 ? undefined : joined;
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/**
 * Returns a list with the range of a row such as `{"start": 3, "end": 9}`; an empty list if the row is no range in the file.
 */
function rangeOf(row: JsonValue, count: number): readonly LineRange[] {
  if (!isJsonObject(row)) return [];
  const { start: first, end: last } = row;
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last)) return [];
  const range = { first: Number(first), last: Number(last) };
  return range.first >= 1 && range.first <= range.last && range.last <= count ? [range] : [];
}

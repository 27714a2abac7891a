import { describe, expect, it } from "vitest";
import { folded, foldLines } from "../../src/commands/fold-lines.ts";

const cases: [name: string, columns: number, text: string, expected: readonly string[]][] = [
  ["a line that fits", 20, "  short line", ["  short line"]],
  ["words", 12, "one two three four", ["one two", "three four"]],
  ["a word that ends at the last column", 7, "one two three", ["one two", "three"]],
  ["the indentation of a line", 14, "  one two three four", ["  one two", "  three four"]],
  [
    "a row of a table: the second cell goes on below itself",
    30,
    "key       the value is described here",
    ["key       the value is", "          described here"],
  ],
  [
    "a table that is too wide: cells lose their padding",
    24,
    "a.long.key.of.settings            value      about it",
    ["a.long.key.of.settings", "    value  about it"],
  ],
  ["answers side by side", 20, "[1] Yes, do  [2] No, leave", ["[1] Yes, do", "    [2] No, leave"]],
  [
    "a gap in the first half of the line: it breaks at the last word",
    24,
    "- a  some words that do not fit",
    ["- a  some words that do", "     not fit"],
  ],
  ["a word wider than the line", 8, "see /a/long/path/here now", ["see", "/a/long/path/here", "now"]],
  ["a single word wider than the line", 4, "abcdefgh", ["abcdefgh"]],
  ["letters of two columns", 8, "一二三 四五六", ["一二三", "四五六"]],
  ["several lines, empty ones kept", 9, "one two three\n\nfour", ["one two", "three", "", "four"]],
];

describe("foldLines", () => {
  it.each(cases)("%s", (_name, columns, text, expected) => {
    expect(foldLines(text, columns).split("\n")).toEqual(expected);
  });

  it("ends for every width, and loses no word", () => {
    const text = "  limits.calls_per_minute   120   default   how many calls a minute the model may make";
    for (let columns = 1; columns < 100; columns += 1)
      expect(foldLines(text, columns).split(/\s+/)).toEqual(text.split(/\s+/));
  });

  it("folds for a terminal whose width is known only", () => {
    expect(folded("one two", { isTTY: true, columns: 4 })).toBe("one\ntwo");
    expect(folded("one two", { isTTY: true, columns: 0 })).toBe("one two");
    expect(folded("one two", { columns: 4 })).toBe("one two");
  });
});

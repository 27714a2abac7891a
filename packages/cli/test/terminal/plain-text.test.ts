/** Checks that cleaned text has nothing that a terminal would execute. */
import { describe, expect, test } from "vitest";
import {
  joinedLine,
  judgedText,
  plainJson,
  plainText,
  visibleLine,
  visibleLines,
  visibleText,
} from "../../src/terminal/plain-text.ts";

const esc = "\u001b";
const rows: [string, string, string, string][] = [
  ["plain", "a\tb\nc äöü 日本 😀", "a\tb\nc äöü 日本 😀", "a\\tb\nc äöü 日本 😀"],
  ["colours", `${esc}[31mred${esc}[0m`, "[31mred[0m", "\\x1b[31mred\\x1b[0m"],
  ["window title", `${esc}]0;x\u0007`, "]0;x", "\\x1b]0;x\\x07"],
  ["clipboard", `${esc}]52;c;AAAA${esc}\\`, "]52;c;AAAA\\", "\\x1b]52;c;AAAA\\x1b\\"],
  ["C1 controls", "\u009b31m\u0085", "31m", "\\x9b31m\\x85"],
  ["overwriting", "rm -rf /\rls      \b\b", "rm -rf /ls      ", "rm -rf /\\rls      \\x08\\x08"],
  ["bidi", "a\u202eb\u2066c", "abc", "a\\u202eb\\u2066c"],
  ["tags", "a\u{e0041}\u{e007f}b", "ab", "a\\u{e0041}\\u{e007f}b"],
  ["zero width", "a\u200bb\ufeff", "a\u200bb\ufeff", "a\\u200bb\\ufeff"],
  [
    "letters without a shape",
    "a\u3164\u115f\u1160\uffa0b",
    "a\u3164\u115f\u1160\uffa0b",
    "a\\u3164\\u115f\\u1160\\uffa0b",
  ],
  ["marks without a shape", "a\u034f\ufe0fb", "a\u034f\ufe0fb", "a\\u034f\\ufe0fb"],
  ["the looks of a picture", "\u2764\ufe0f", "\u2764\ufe0f", "\u2764\ufe0f"],
  [
    "emoji of several parts",
    "👩\u200d💻 🏃🏽\u200d♀\ufe0f 1\ufe0f\u20e3",
    "👩\u200d💻 🏃🏽\u200d♀\ufe0f 1\ufe0f\u20e3",
    "👩\u200d💻 🏃🏽\u200d♀\ufe0f 1\ufe0f\u20e3",
  ],
  ["joiners between letters", "a\u200db \u200d👩", "a\u200db \u200d👩", "a\\u200db \\u200d👩"],
  ["two joiners in an emoji", "👩\u200d\u200d💻", "👩\u200d\u200d💻", "👩\\u200d\\u200d💻"],
  ["letters that need joiners", "می\u200cخواهم", "می\u200cخواهم", "می\u200cخواهم"],
  ["braille without a dot", "a\u2800b", "a\u2800b", "a\\u2800b"],
  ["lone surrogates", "a\ud800b", "ab", "a\\ud800b"],
  ["delete and null", "a\u007f\u0000b", "ab", "a\\x7f\\x00b"],
];

describe("text for terminals", () => {
  test.each(rows)("%s", (_what, text, plain, visible) => {
    expect([plainText(text), visibleText(text)]).toEqual([plain, visible]);
  });

  const blanks = [
    ..." \u00a0\u1680\u2000\u2003\u200a\u202f\u205f\u3000\u2800\u3164\u115f\u1160\uffa0",
    `${" ".repeat(20)}\u2002`,
  ];
  test.each(blanks)("text to judge has a count for many spaces in a row (%j)", (blank) => {
    const run = blank.repeat(200);
    expect(judgedText(`ls ${run}; rm -rf x`)).toBe(`ls⟨${run.length + 1} blanks⟩; rm -rf x`);
  });

  test("text to judge has an escape for every joiner", () => {
    expect(judgedText("👩\u200d💻 می\u200cخ")).toBe("👩\\u200d💻 می\\u200cخ");
  });

  test("one line for a question has no line end", () => {
    expect(visibleLine("a\nb")).toBe("a\\nb");
  });

  test.each([
    [
      "a message with two lines",
      "no server:\nstart one\n",
      "no server:\n  start one",
      "no server: start one",
    ],
    ["a list", "it is wrong:\n  - $/a", "it is wrong:\n    - $/a", "it is wrong: - $/a"],
    ["a line that looks like another message", "a\n! b\u001b[2J", "a\n  ! b\\x1b[2J", "a ! b\\x1b[2J"],
    ["no words", "\n\n", "", ""],
  ])("a message keeps its line ends, or has blanks in their place: %s", (_what, text, lines, line) => {
    expect(visibleLines(text)).toBe(lines);
    expect(joinedLine(text)).toBe(line);
  });

  test.each(rows)("JSON with %s is harmless and reads the same", (_what, text) => {
    const json = plainJson({ [text]: [text] });
    expect(plainText(json)).toBe(json);
    expect(JSON.parse(json)).toEqual({ [text]: [text] });
  });
});

/** What reaches a terminal: nothing that it would obey. */
import { describe, expect, test } from "vitest";
import { plainJson, plainText, visibleLine, visibleText } from "../../src/terminal/plain-text.ts";

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
  ["lone surrogates", "a\ud800b", "ab", "a\\ud800b"],
  ["delete and null", "a\u007f\u0000b", "ab", "a\\x7f\\x00b"],
];

describe("text for terminals", () => {
  test.each(rows)("%s", (_what, text, plain, visible) => {
    expect([plainText(text), visibleText(text)]).toEqual([plain, visible]);
  });

  test("a line for a prompt has no line end in it", () => {
    expect(visibleLine("a\nb")).toBe("a\\nb");
  });

  test.each(rows)("JSON with %s is harmless and reads the same", (_what, text) => {
    const json = plainJson({ [text]: [text] });
    expect(plainText(json)).toBe(json);
    expect(JSON.parse(json)).toEqual({ [text]: [text] });
  });
});

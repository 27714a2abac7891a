/** Checks what `/copy` writes to the terminal: escape sequences of the clipboard, with cleaned text. */
import { describe, expect, test } from "vitest";
import { codeBlocks } from "../src/markdown/code-blocks.ts";
import { clipboardSequence, maxCopiedBytes } from "../src/screen/clipboard.ts";

const begin = "\u001b]52;c;";
const decoded = (sequence = "") =>
  Buffer.from(sequence.slice(begin.length, sequence.indexOf("\u0007")), "base64").toString("utf8");

describe("the clipboard's sequence", () => {
  test.each([
    ["a\tb\r\nc 漢字\n", "a\tb\nc 漢字\n"],
    ["rm\u001b[2J \u009b1m\u0007x\u202ey\u0000\r", "rm[2J 1mxy"],
  ])("of %j holds %j", (text, expected) => {
    const sequence = clipboardSequence(text, {});
    expect(decoded(sequence)).toBe(expected);
    expect(sequence?.slice(7, -1)).toMatch(/^[A-Za-z0-9+/=]*$/);
  });

  test("is not made for a text that terminals do not take", () => {
    expect(clipboardSequence("x".repeat(maxCopiedBytes), {})?.length).toBe(100_008);
    expect(clipboardSequence("x".repeat(maxCopiedBytes + 1), {})).toBeUndefined();
  });

  test("within tmux is written for tmux and passed through it", () => {
    const own = "\u001b]52;c;aGk=\u0007";
    expect(clipboardSequence("hi", { TMUX: "/tmp/tmux-1000/default,1,0" })).toBe(
      `${own}\u001bPtmux;\u001b\u001b]52;c;aGk=\u0007\u001b\\`,
    );
  });
});

test.each([
  ["no block", []],
  [
    "```ts\nlet a;\n\nlet b;\n```\ntext\n~~~\nx\n```\n~~~",
    [
      ["ts", "let a;\n\nlet b;\n"],
      ["", "x\n```\n"],
    ],
  ],
  ["````\n```\ninner\n```\n````", [["", "```\ninner\n```\n"]]],
  ["```sh\nnot closed", [["sh", "not closed\n"]]],
  ["``` `inline` ```", []],
  ["```\n```", [["", ""]]],
])("the code blocks of %j", (text, expected) => {
  expect(codeBlocks(text).map(({ language, code }) => [language, code])).toEqual(expected);
});

import { expect, test } from "vitest";
import { bareLine, lineEndOf, newLines, splitLines, withLineEnd } from "../../src/files/lines.ts";

test.each([
  ["", []],
  ["a", ["a"]],
  ["a\n", ["a\n"]],
  ["a\n\nb", ["a\n", "\n", "b"]],
  ["a\r\nb\n", ["a\r\n", "b\n"]],
])("splits %j and joins back to it", (text, lines) => {
  expect(splitLines(text)).toEqual(lines);
  expect(splitLines(text).join("")).toBe(text);
});

test.each([
  ["", "\n"],
  ["a\nb\n", "\n"],
  ["a\r\nb\r\nc\n", "\r\n"],
  ["a\r\nb\n", "\n"],
])("the line end of %j is %j", (text, end) => {
  expect(lineEndOf(text)).toBe(end);
});

test("changes line ends and takes them off", () => {
  expect(withLineEnd("a\r\nb\n", "\r\n")).toBe("a\r\nb\r\n");
  expect(withLineEnd("a\r\nb\n", "\n")).toBe("a\nb\n");
  expect(["a\r\n", "b\n", "c"].map(bareLine)).toEqual(["a", "b", "c"]);
});

test.each([
  ["", []],
  ["a", ["a\r\n"]],
  ["a\nb\n", ["a\r\n", "b\r\n"]],
  ["\n", ["\r\n"]],
  ["a\n\n", ["a\r\n", "\r\n"]],
])("a model's %j is the lines %j", (text, lines) => {
  expect(newLines(text, "\r\n")).toEqual(lines);
});

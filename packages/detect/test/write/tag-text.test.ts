/** The text that all formats with one tag per argument write in the same way. */
import { expect, test } from "vitest";
import { args, escaped, invoke, laidOut, lines } from "../../src/write/tag-text.ts";

test.each([
  ["a", "a"],
  ["a\nb", "a\nb"],
  ["\na", "\n\na\n"],
  ["\r\na", "\n\r\na\n"],
  ["a\n", "\na\n\n"],
  ["\n", "\n\n\n"],
  [5, "5"],
])("%j gets line feeds for layout where it has its own: %j", (value, text) => {
  expect(laidOut(value)).toBe(text);
});

test.each([
  ['a & <b> "c"', 'a &amp; &lt;b&gt; "c"'],
  [" a ", "&#32;a&#32;"],
  ["  ", "&#32;&#32;"],
  [["<"], '["&lt;"]'],
])("%j is XML text: %j", (value, text) => {
  expect(escaped(value)).toBe(text);
});

test("lines leave out what is empty", () => {
  expect([lines("a", "", "b"), lines("")]).toEqual(["a\nb", ""]);
});

test("arguments are written in order", () => {
  const call = { name: "f", arguments: { b: 1, a: "x" } };
  expect(args(call, (key, value) => `${key}:${value}`, ";")).toBe("b:1;a:x");
  expect(invoke(call, "n:")).toBe(
    '<n:invoke name="f">\n<n:parameter name="b">1</n:parameter>\n<n:parameter name="a">x</n:parameter>\n</n:invoke>',
  );
});

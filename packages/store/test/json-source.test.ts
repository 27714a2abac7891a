/** Checks the parser of hand-written JSON: the lines of keys, and the positions of errors. */
import { describe, expect, test } from "vitest";
import { readJsonSource } from "../src/json-source.ts";

const wrong: [string, number, number, RegExp][] = [
  ["", 1, 1, /expected a value, got the end of the file/],
  ['{"a": 1,}', 1, 9, /expected a key in double quotes, got "}"/],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, /expected "," or "}", got "\\"b\\""/],
  ['{"a" 1}', 1, 6, /expected ":", got "1"/],
  ["{'a': 1}", 1, 2, /expected a key in double quotes/],
  ['{"a": tru}', 1, 7, /expected a value, got "tru"/],
  ['{"a": 01}', 1, 7, /expected a value, got 01/],
  ['{"a": "x\ny"}', 1, 7, /a string contains a line break/],
  ['{"a": "x', 1, 7, /a string is not closed/],
  ['{"a": 1} x', 1, 10, /"x" after the end of the value/],
  ['{\n "a": 1,\n "a": 2}', 3, 2, /the key "a" occurs twice/],
  [`${"[".repeat(100)}`, 1, 66, /nested deeper than 64 levels/],
];

const right = [
  '{"a\\\\": "b\\"c\\\\\\"", "d": "\\\\"}',
  '{"a": [1, -2.5e3, "\\u00e4\\n", true, false, null, {"b": {}}], "c": []}',
  " [ ] ",
  '"x"',
  "0",
];

describe("readJsonSource", () => {
  test.each(wrong)("names the place of the mistake in %j", (text, line, column, message) => {
    expect(readJsonSource(text)).toMatchObject({
      ok: false,
      line,
      column,
      message: expect.stringMatching(message),
    });
  });

  test.each(right)("reads %s as JSON.parse does", (text) => {
    expect(readJsonSource(text)).toMatchObject({ ok: true, value: JSON.parse(text) });
  });

  test("reads a text of any length", () => {
    const text = JSON.stringify('"\n'.repeat(4_000_000));
    expect(readJsonSource(text)).toMatchObject({ ok: true, value: JSON.parse(text) });
  });

  test("knows the line of each key and skips a byte order mark", () => {
    const source = readJsonSource('\ufeff{\n  "a": {\n    "b": [\n      1,\n      2\n    ]\n  }\n}');
    if (!source.ok) throw new Error(source.message);
    expect(["a", "a.b", "a.b.1", "none"].map((path) => source.lineOf(path))).toEqual([2, 3, 5, 1]);
  });

  test("a key named __proto__ is a key like any other", () => {
    const source = readJsonSource('{"__proto__": {"polluted": true}}');
    if (!source.ok) throw new Error(source.message);
    expect(Object.keys(source.value as object)).toEqual(["__proto__"]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

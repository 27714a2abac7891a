/** Calls in Python's syntax. */
import { expect, test } from "vitest";
import type { JsonValue } from "../../src/types.ts";
import { pythonCall } from "../../src/write/python-text.ts";

test.each<[{ [key: string]: JsonValue }, string]>([
  [{}, "f()"],
  [{ a: "b", c: 1.5 }, 'f(a="b", c=1.5)'],
  [{ a: true, b: false, c: null }, "f(a=True, b=False, c=None)"],
  [{ a: 'quote " and \\ and\nline' }, 'f(a="quote \\" and \\\\ and\\nline")'],
  [{ a: [1, ["x"], {}] }, 'f(a=[1, ["x"], {}])'],
  [{ a: { b: { c: null } } }, 'f(a={"b": {"c": None}})'],
])("%j", (args, text) => {
  expect(pythonCall({ name: "f", arguments: args })).toBe(text);
});

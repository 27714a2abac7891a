/** Values in Gemma's object notation. */
import { expect, test } from "vitest";
import type { JsonValue } from "../../src/types.ts";
import { gemmaValue } from "../../src/write/gemma-text.ts";

test.each<[JsonValue, string]>([
  [{}, "{}"],
  [{ a: "b", c: 1.5, d: true, e: null }, "{a:|b|,c:1.5,d:true,e:null}"],
  [{ a: 'raw " and \\ and\nline' }, '{a:|raw " and \\ and\nline|}'],
  [["x", 1, []], "[|x|,1,[]]"],
  [{ a: { b: ["c"] } }, "{a:{b:[|c|]}}"],
])("%j", (value, text) => {
  expect(gemmaValue(value, "|")).toBe(text);
});

/** Tests where the first object of a text ends, for the whole text and for one character at a time. */
import { expect, it } from "vitest";
import { createObjectEnd } from "../../src/answer/object-end.ts";

it.each<[text: string, first: string | undefined, isWhole: boolean]>([
  ['{"a": 1}', '{"a": 1}', true],
  [' {"a": {"b": [{}]}}\n', ' {"a": {"b": [{}]}}', true],
  ['{"a": "}"}', '{"a": "}"}', true],
  ['{"a": "\\"}{"}', '{"a": "\\"}{"}', true],
  ['{"a": "\\\\"}', '{"a": "\\\\"}', true],
  ['{"a": 1} {"b": 2}', '{"a": 1}', false],
  ['{"a": 1}}', '{"a": 1}', false],
  ['{"a": 1', undefined, false],
  ['"{" {"a": 1}', undefined, false],
  ["[1]", undefined, false],
])("of %s it is %j", (text, first, isWhole) => {
  for (const pieces of [[text], [...text]]) {
    const end = createObjectEnd();
    for (const piece of pieces) end.push(piece);
    expect([end.at, end.isWhole]).toEqual([first?.length, isWhole]);
  }
});

it.each([
  ['"' as const, undefined],
  ["\"'" as const, 9],
])("with %s as quotes a brace in single ones ends at %s", (quotes, at) => {
  const end = createObjectEnd(quotes);
  end.push("{'a':'{'} ");
  expect(end.at).toBe(at);
});

/** The longest literal at an index. */
import { expect, test } from "vitest";
import { literals } from "../../src/scan/literals.ts";

const tree = literals([
  ["<tool", 1],
  ["<tool_call>", 2],
  ["<tool_call>", 3],
  ["<toad>", 4],
  ["[", 5],
]);

test.each([
  ["the longest one", "a<tool_call>", 1, true, { length: 11, values: [2, 3] }],
  ["a shorter one where the longer one does not go on", "<tool_ca!", 0, false, { length: 5, values: [1] }],
  ["a shorter one at the end of the text", "<tool_ca", 0, true, { length: 5, values: [1] }],
  ["one of a single character", "x[", 1, false, { length: 1, values: [5] }],
  ["another branch", "<toad>", 0, false, { length: 6, values: [4] }],
])("%s is found", (_name, text, index, ended, match) => {
  expect(tree.match(text, index, ended)).toEqual(match);
});

test.each([
  ["where a longer one is possible", "<tool_ca", "more"],
  ["where any is possible", "<to", "more"],
  ["where none is", "<tea", undefined],
])("more text is asked for %s", (_name, text, answer) => {
  expect(tree.match(text, 0, false)).toBe(answer);
});

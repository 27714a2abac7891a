import { expect, test } from "vitest";
import { literalPattern, looksLikeExpression } from "../../src/search/pattern.ts";

test.each([
  ["plain (text)", ["--fixed-strings", "--regexp=plain (text)"]],
  ["-f", ["--fixed-strings", "--regexp=-f"]],
  ["fn*init", ["--regexp=fn.*?init"]],
  ["a.b*[c]", ["--regexp=a\\.b.*?\\[c\\]"]],
])("%j is searched as %j", (pattern, args) => {
  expect(literalPattern(pattern)).toEqual(args);
});

test.each([
  ["a|b", true],
  ["\\w+", true],
  ["foo(", true],
  ["^x$", true],
  ["plain text", false],
  ["fn*init", false],
])("%j could be an expression: %s", (pattern, expected) => {
  expect(looksLikeExpression(pattern)).toBe(expected);
});

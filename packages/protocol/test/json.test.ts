/** Checks which values count as JSON objects. */
import { isJsonObject } from "@localharness/protocol";
import { expect, test } from "vitest";

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  ["{}", false],
  [1, false],
  [undefined, false],
])("isJsonObject(%j) is %s", (value, expected) => {
  expect(isJsonObject(value)).toBe(expected);
});

/** Checks how keys from before the screen are read. */
import { expect, test } from "vitest";
import { sortEarlyKeys } from "../src/screen/early-keys.ts";

test.each([
  ["", "", ""],
  ["hello", "hello", ""],
  ["hello\n", "hello\r", ""],
  ["\n", "\r", ""],
  ["\u001b[A", "\u001b[A", ""],
  ["one\ntwo\n", "", "one\ntwo"],
  ["one\ntwo", "", "one\ntwo"],
  ["one\n\n", "", "one\n"],
])("%j is the keys %j and the paste %j", (text, keys, pasted) => {
  expect(sortEarlyKeys(text)).toEqual({ keys, pasted });
});

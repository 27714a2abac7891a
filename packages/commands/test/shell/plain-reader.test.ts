import { expect, test } from "vitest";
import { readPlain } from "../../src/shell/plain-reader.ts";

test("keeps what stands between the calls", () => {
  const { calls, unclear } = readPlain("a && b || c | d; e\nf");
  expect(unclear).toBeUndefined();
  expect(calls?.map(({ words, after }) => [...words, after])).toEqual([
    ["a", "&&"],
    ["b", "||"],
    ["c", "|"],
    ["d", ";"],
    ["e", ";"],
    ["f", ""],
  ]);
});

test.each(["a &&", "a |", "&& a", ";", "a;;b", "a && ; b", "a | | b", "a\n&& b"])(
  "%j is no whole command",
  (text) => {
    expect(readPlain(text).unclear).toBeDefined();
  },
);

/** Marks of quoting in long texts: the time grows with the length of the text. */
import { expect, test } from "vitest";
import { growth } from "../../../../test/measures.ts";
import { withoutQuoting, wordsOf } from "../../src/quoted/without-quoting.ts";

test.each([
  ["words", "word "],
  ["backslashes", "\\"],
  ["colons", "a : "],
  ["signs of HTML", "&lt"],
])("a long line of %s is read in time that grows with its length", async (_name, piece) => {
  const read = (count: number) => {
    const text = piece.repeat(count);
    return () => [withoutQuoting(text), wordsOf(text)];
  };
  expect(await growth(read(1_000), read(8_000), 24)).toBeLessThan(24);
});

test.each([
  ["Call this tool now:", "Call this tool now."],
  ["Call this tool now: ", "Call this tool now."],
  ["key:", "key:"],
  ["12: Call this: x", "Call this: x"],
])("%j becomes %j", (line, plain) => {
  expect(withoutQuoting(line)).toBe(plain);
});

import { describe, expect, test } from "vitest";
import { hideValues } from "../../src/secrets/hide-values.ts";

const labels = new Map([
  ["abcdefgh", "[A]"],
  ["abcdefghijkl", "[B]"],
  ["h1h1h1h1", "[C]"],
  ["pässwörd", "[D]"],
  ["a+b(c)*d", "[É]"],
]);

function hidden(chunks: readonly string[]): string {
  const passed: Buffer[] = [];
  const stream = hideValues(labels).stream((chunk) => passed.push(Buffer.from(chunk)));
  for (const chunk of chunks) stream.push(Buffer.from(chunk, "latin1"));
  stream.end();
  return Buffer.concat(passed).toString();
}

describe("values in a stream", () => {
  test.each([
    ["nothing here", "nothing here"],
    ["xabcdefghx", "x[A]x"],
    ["abcdefghijklabcdefghijk", "[B][A]ijk"],
    ["h1h1h1h1h1h1h1", "[C]h1h1h1"],
    ["abcdefgh1h1h1h1", "[A]1h1h1h1"],
    ["abcdefgabcdefgh", "abcdefg[A]"],
    ["ein pässwörd, ein pässwör", "ein [D], ein pässwör"],
    ["a+b(c)*d aab(c)*d", "[É] aab(c)*d"],
    ["", ""],
  ])("%s", (text, expected) => {
    const bytes = Buffer.from(text).toString("latin1");
    for (let at = 0; at <= bytes.length; at += 1)
      expect(hidden([bytes.slice(0, at), bytes.slice(at)])).toBe(expected);
    expect(hidden([...bytes])).toBe(expected);
  });

  test("what cannot begin a value is passed on at once, a chunk without values as it is", () => {
    const passed: Buffer[] = [];
    const stream = hideValues(labels).stream((chunk) => passed.push(chunk));
    const chunk = Buffer.from("ready? ");
    stream.push(chunk);
    expect(passed[0]).toBe(chunk);
    stream.push(Buffer.from("yes abc"));
    expect(Buffer.concat(passed).toString()).toBe("ready? yes ");
    stream.push(Buffer.from("d\n"));
    expect(Buffer.concat(passed).toString()).toBe("ready? yes abcd\n");
  });
});

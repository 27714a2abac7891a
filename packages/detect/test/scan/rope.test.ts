/** Ropes: texts that grow piece by piece. */
import { describe, expect, test } from "vitest";
import { Rope } from "../../src/scan/rope.ts";

const block = "0123456789".repeat(1000);

function ropeOf(pieces: readonly string[]): Rope {
  const rope = new Rope();
  for (const piece of pieces) rope.add(piece);
  return rope;
}

const ropes: readonly (readonly [string, readonly string[]])[] = [
  ["nothing", []],
  ["one piece", ["abc"]],
  ["pieces of one character", block.split("")],
  ["long pieces", [block, "ab", block, block, "c"]],
];

describe.each(ropes)("a rope of %s", (_name, pieces) => {
  const whole = pieces.join("");
  const places = [0, 1, 9_999, 10_000, 10_001, whole.length - 1, whole.length].filter(
    (place) => place >= 0 && place <= whole.length,
  );

  test("has the length of all of them", () => {
    expect(ropeOf(pieces).length).toBe(whole.length);
  });

  test.each(places)("gives the text from %i on", (place) => {
    expect(ropeOf(pieces).from(place)).toBe(whole.slice(place));
  });

  test.each(places)("is cut at %i and grows on", (place) => {
    const rope = ropeOf(pieces);
    expect(rope.cut(place)).toBe(whole.slice(place));
    rope.add("more");
    expect([rope.length, rope.from(0)]).toEqual([place + 4, `${whole.slice(0, place)}more`]);
  });
});

test("a rope that was cleared is empty", () => {
  const rope = ropeOf([block, "a"]);
  rope.clear();
  rope.add("b");
  expect([rope.length, rope.from(0)]).toEqual([1, "b"]);
});

/** Compares the nearest vectors with those of a comparison of all. */
import { describe, expect, test } from "vitest";
import { createVectorTable } from "../../src/store/vector-table.ts";

/** Returns the same numbers from 0 to 1 in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const dimension = 96;

/** Returns a vector near one of 200 topics, as texts about one subject have. */
function makeVectors(count: number, random: () => number, low: number): readonly Int8Array[] {
  const part = () => Math.round(low + random() * (127 - low));
  const topics = Array.from({ length: 200 }, () => Int8Array.from({ length: dimension }, part));
  return Array.from({ length: count }, (_, at) =>
    Int8Array.from(topics[at % topics.length] ?? [], (value) => (random() < 0.7 ? value : part())),
  );
}

function dot(left: Int8Array, right: Int8Array): number {
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
}

function nearestOfAll(vectors: readonly Int8Array[], asked: Int8Array, most: number): readonly number[] {
  const scored = vectors.map((vector, section) => ({ section, score: dot(asked, vector) }));
  const positive = scored.filter(({ score }) => score > 0);
  positive.sort((left, right) => right.score - left.score || left.section - right.section);
  return positive.slice(0, most).map(({ section }) => section);
}

describe("nearest", () => {
  test.each([
    ["a few vectors are all compared", 500, -127, 1],
    ["of many vectors nearly all of the best are found", 20_000, -127, 0.95],
  ])("%s", (_name, count, low, share) => {
    const random = randomFrom(7);
    const vectors = makeVectors(count, random, low);
    const table = createVectorTable(dimension, 0);
    for (const [section, vector] of vectors.entries()) table.put(section, vector);
    expect(table.size()).toBe(count);
    let found = 0;
    for (let asked = 0; asked < 20; asked += 1) {
      const vector = vectors[asked * 7] ?? new Int8Array(dimension);
      const wanted = new Set(nearestOfAll(vectors, vector, 20));
      const got = table.nearest(vector, 20);
      expect(got[0]).toBe(nearestOfAll(vectors, vector, 1)[0]);
      found += got.filter((section) => wanted.has(section)).length;
    }
    expect(found / 400).toBeGreaterThanOrEqual(share);
  });

  test("a vector that is put again replaces the earlier one", () => {
    const table = createVectorTable(2, 1);
    table.put(5, Int8Array.of(127, 0));
    table.put(6, Int8Array.of(0, 127));
    table.put(5, Int8Array.of(0, -127));
    expect(table.size()).toBe(2);
    expect(table.nearest(Int8Array.of(90, 90), 10)).toEqual([6]);
  });

  test("an empty table has none", () => {
    expect(createVectorTable(8, 0).nearest(new Int8Array(8), 3)).toEqual([]);
  });
});

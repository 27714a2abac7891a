/** Ids that are unique and sort by the time at which they were made, and ids that cannot be guessed. */
import { expect, test } from "vitest";
import { freshId, secretId } from "../src/fresh-id.ts";

test("ids differ, and have one shape", () => {
  const ids = Array.from({ length: 10_000 }, freshId);
  expect(new Set(ids).size).toBe(10_000);
  expect(ids.filter((id) => !/^[0-9a-z]{8}-[0-9a-z]{11}$/.test(id))).toEqual([]);
});

test("secret ids differ in every place, and are 128 bits in hex", () => {
  const ids = Array.from({ length: 1_000 }, secretId);
  expect(new Set(ids).size).toBe(1_000);
  expect(ids.filter((id) => !/^[0-9a-f]{32}$/.test(id))).toEqual([]);
  for (let place = 0; place < 32; place += 1) expect(new Set(ids.map((id) => id[place])).size).toBe(16);
});

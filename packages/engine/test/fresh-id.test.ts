/** Ids that differ and sort by the time of their making. */
import { expect, test } from "vitest";
import { freshId } from "../src/fresh-id.ts";

test("ids differ, and have one shape", () => {
  const ids = Array.from({ length: 10_000 }, freshId);
  expect(new Set(ids).size).toBe(10_000);
  expect(ids.filter((id) => !/^[0-9a-z]{8}-[0-9a-z]{11}$/.test(id))).toEqual([]);
});

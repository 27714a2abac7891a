/** Names as models write them. */
import { nearestName } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { growth } from "../../../../test/measures.ts";
import { byNearness, foldName } from "../../src/arguments/names.ts";

describe("folding a name", () => {
  test.each([
    ["read_file", "readfile"],
    ["Read-File", "readfile"],
    ["readFile", "readfile"],
    [" READ FILE ", "readfile"],
    ["functions.read_file", "readfile"],
    ["function:read_file", "readfile"],
    ["tools/read_file", "readfile"],
    ["default_api.read_file", "readfile"],
    ["functional_test", "functionaltest"],
    ["tool", "tool"],
    ["", ""],
    ["__proto__", "proto"],
    ["größe", "größe"],
  ])("%j folds to %j", (name, folded) => {
    expect(foldName(name)).toBe(folded);
  });
});

describe("the nearest name", () => {
  const names = ["read_file", "write_file", "ls", "grep_search"];
  test.each([
    ["readfile", "read_file"],
    ["reed_file", "read_file"],
    ["wrte_file", "write_file"],
    ["l", "ls"],
    ["grep_serch", "grep_search"],
    ["download", undefined],
    ["", undefined],
    ["x".repeat(100_000), undefined],
  ])("is found or not: case %#", (name, nearest) => {
    expect(nearestName(name, names)).toBe(nearest);
  });

  test("of no names is none", () => {
    expect(nearestName("a", [])).toBeUndefined();
  });
});

test("many names that are all alike are put in order in time that grows with their number", async () => {
  const order = (count: number) => {
    const names = Array.from({ length: count }, (_, index) => `server__get_records_${index}`);
    return () => byNearness("server__get_records_x", names);
  };
  expect(order(20)()).toHaveLength(20);
  expect(await growth(order(20), order(160), 24)).toBeLessThan(24);
});

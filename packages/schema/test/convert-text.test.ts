/**
 * Texts where another type is wanted: they are read as JSON or Python writes a value of that type, and in no other
 * way.
 */
import { convertText, type JsonValue, type TypeName } from "@localharness/schema";
import { describe, expect, test } from "vitest";
import { growth } from "../../../test/measures.ts";

describe("a text is read as the narrowest of several types", () => {
  const all: TypeName[] = ["string", "object", "array", "number", "integer", "boolean", "null"];
  // Null, boolean, integer, number, list or object, text: in this order, wherever the schema lists them.
  test.each<[string, readonly TypeName[], JsonValue | undefined]>([
    ["null", all, null],
    [" None ", all, null],
    ["None", ["null", "boolean"], null],
    ["nil", ["null", "boolean"], undefined],
    ["none", ["null"], undefined],
    ["NULL", ["null"], undefined],
    ["null", ["boolean", "integer"], undefined],
    ["TRUE", all, true],
    ["False", ["boolean", "integer"], false],
    ["yes", ["boolean"], undefined],
    ["no", ["boolean"], undefined],
    ["1", ["boolean"], undefined],
    ["1", ["boolean", "integer"], 1],
    ["+7", all, 7],
    ["5.0", ["integer", "number"], 5],
    ["5.5", ["integer", "number"], 5.5],
    ["5.5", ["integer"], undefined],
    [".5", ["number"], 0.5],
    ["5.", ["number"], 5],
    ["-1e3", ["number"], -1000],
    ["1e3", ["integer"], 1000],
    ["1e-3", ["integer"], undefined],
    ["1e999", ["number"], undefined],
    ["12345678901234567890", ["integer", "number"], undefined],
    ["-9007199254740993", ["integer"], -(2 ** 53)],
    ["12345678901234567890e0", ["number"], undefined],
    ["1234567890123456.5e1", ["number"], undefined],
    ["123456789012345.5e30", ["number"], 123456789012345.5e30],
    [".12345678901234567890e30", ["number"], 1.2345678901234568e29],
    ["-9007199254740993", ["number"], undefined],
    ["12345678901234567890.5", ["number"], undefined],
    ["-9007199254740992", ["integer"], -(2 ** 53)],
    ["1.5e300", ["number"], 1.5e300],
    ["0x10", ["integer", "number"], undefined],
    ["Infinity", ["number"], undefined],
    ['[1, "a"]', all, [1, "a"]],
    ["[1, 'a',]", all, undefined],
    ['{"a": 1, "a": 2}', ["object"], undefined],
    ['{"a": [1]}', ["array", "object"], { a: [1] }],
    ['{"a": 1}', ["array"], undefined],
    ["[1]", ["object"], undefined],
    ["[1", ["array"], undefined],
    ["any text", all, undefined],
    ["", all, undefined],
  ])("%j where %j is allowed gives %j", (text, types, expected) => {
    for (const order of [types, [...types].reverse()])
      expect(convertText(text, new Set(order))).toEqual(expected);
  });

  test("a list or an object is read by whoever is given", () => {
    expect(convertText("[1, 'a']", new Set(["array"]), () => [1, "a"])).toEqual([1, "a"]);
    expect(convertText("[1]", new Set(["array"]), () => ({}))).toBeUndefined();
  });
});

test("many digits that are no number are read in linear time", async () => {
  const read = (digits: number) => {
    const text = `${"1".repeat(digits)}x`;
    return () => convertText(text, new Set(["number"]));
  };
  expect(await growth(read(2_500), read(20_000), 24)).toBeLessThan(24);
});

/** Arguments as they come: an object (Ollama) or JSON text (OpenAI). */
import { readArguments } from "@localharness/engine";
import type { JsonObject, JsonValue } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { describe as inWords } from "../../src/arguments/read.ts";

const nested = (levels: number): JsonObject =>
  JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`) as JsonObject;

describe("Local Harness: arguments are read from an object (Ollama) and from a JSON string (OpenAI)", () => {
  test.each<readonly [string | JsonObject | null | undefined, JsonObject]>([
    [{ path: "a" }, { path: "a" }],
    ['{"path":"a"}', { path: "a" }],
    [' \n{"path":"a"}\t', { path: "a" }],
    ['{"n":1,"b":true,"z":null}', { n: 1, b: true, z: null }],
    ["", {}],
    ["  ", {}],
    ["null", {}],
    [null, {}],
    [undefined, {}],
    ["{}", {}],
    [{}, {}],
  ])("%j gives %j", (raw, value) => {
    expect(readArguments(raw)).toEqual({ ok: true, value, notes: [] });
  });

  test("JSON text inside JSON text is read through, and noted", () => {
    expect(readArguments(JSON.stringify(JSON.stringify({ path: "a" })))).toEqual({
      ok: true,
      value: { path: "a" },
      notes: ["the arguments were JSON text inside JSON text"],
    });
  });

  test.each<readonly [string | JsonObject, RegExp]>([
    ['{"path":', /^the arguments are not valid JSON \(/],
    ["{'path':'a'}", /^the arguments are not valid JSON \(/],
    ['{"path":"a"} trailing', /^the arguments are not valid JSON \(/],
    ['"{broken"', /^the arguments are not valid JSON \(/],
    ["[1]", /^the arguments must be a JSON object, but are an array of 1$/],
    ['"a"', /^the arguments must be a JSON object, but are the string "a"$/],
    ["3", /^the arguments must be a JSON object, but are the number 3$/],
    [[1] as unknown as JsonObject, /^the arguments must be a JSON object, but are an array of 1$/],
    [nested(101), /^the arguments are nested more than 100 levels deep$/],
    [
      `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`,
      /^the arguments are nested more than 100 levels deep$/,
    ],
  ])("refuses what is no object: case %#", (raw, message) => {
    const read = readArguments(raw);
    expect(read.ok ? "" : read.message).toMatch(message);
  });

  test("100 levels are read", () => {
    expect(readArguments(nested(100)).ok).toBe(true);
  });
});

test.each<readonly [JsonValue | undefined, string]>([
  [undefined, "nothing"],
  [null, "null"],
  ["a", 'the string "a"'],
  ["x".repeat(99), `the string "${"x".repeat(60)}…"`],
  [3, "the number 3"],
  [true, "the boolean true"],
  [[1, 2], "an array of 2"],
  [{}, "an object with no keys"],
  [{ a: 1, b: 2 }, 'an object with the keys "a", "b"'],
  [{ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 }, 'an object with the keys "a", "b", "c", "d", "e", …'],
])("says a value in words: case %#", (value, words) => {
  expect(inWords(value)).toBe(words);
});

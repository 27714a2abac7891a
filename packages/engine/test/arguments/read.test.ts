/** Arguments in the forms in which servers send them: an object (Ollama) or JSON text (OpenAI). */
import { readArguments } from "@localharness/engine";
import type { JsonObject, JsonValue } from "@localharness/protocol";
import { describe as inWords } from "@localharness/schema";
import { describe, expect, test } from "vitest";
import { growth } from "../../../../test/measures.ts";

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
    ["[]", {}],
    ["[ ]\n", {}],
    ['""', {}],
    [[] as unknown as JsonObject, {}],
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

  const layer = "the arguments were JSON text inside JSON text";
  const list = "the arguments were in a list";
  const marks = "the marks around the arguments were ignored";
  test.each<readonly [string, ...notes: string[]]>([
    [JSON.stringify(JSON.stringify(JSON.stringify({ path: "a" }))), layer],
    ['[{"path":"a"}]', list],
    [JSON.stringify('[{"path":"a"}]'), layer, list],
    ['{"path":"a"}\n```', marks],
    ['```json\n{"path":"a"}\n```', marks],
    ['{"path":"a"}<|call|>', marks],
    ['{"path":"a"}</tool_call>\n', marks],
    [JSON.stringify('```json\n{"path":"a"}\n```'), layer, marks],
  ])("%j is one object, and noted", (raw, ...notes) => {
    expect(readArguments(raw)).toEqual({ ok: true, value: { path: "a" }, notes });
  });

  test.each<readonly [string | JsonObject, RegExp]>([
    ['{"path":', /^the arguments are not valid JSON \(/],
    ["{'path':'a'}", /^the arguments are not valid JSON \(/],
    ['{"path":"a"} trailing', /^the arguments are not valid JSON \(/],
    ['"{broken"', /^the arguments are not valid JSON \(/],
    ['[{"path":"a"},{"path":"b"}]', /^the arguments must be a JSON object, but are an array of 2$/],
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

  test.each<readonly [string, string]>([
    ['{"a":1,"a":1}', "a"],
    ['{"a":1,"\\u0061":2}', "a"],
    ['{"a":{"b":1,"c":[{"x":1,"x":2}]}}', "x"],
    ['{"a":"}","b":"\\"a\\":","a":1}', "a"],
    ['{"__proto__":1,"__proto__":2}', "__proto__"],
    ['{"":1,"":2}', ""],
    [JSON.stringify('{"a":1,"a":2}'), "a"],
  ])("refuses %s, which has the key %j twice", (raw, key) => {
    expect(readArguments(raw)).toEqual({
      ok: false,
      sound: false,
      message: `the arguments are ambiguous: the key ${JSON.stringify(key)} is there twice; give it once`,
    });
  });

  test.each([
    '{"a":{"a":{"a":[{"a":1},{"a":2}]}}}',
    '{"a":"a","b":["a","a"],"c":"\\\\","d":"\\\\\\"a\\":1"}',
    '{"a":[1,{"b":2}],"b":{"a":3}}',
  ])("reads %s, which has each key once in its object", (raw) => {
    expect(readArguments(raw)).toEqual({ ok: true, value: JSON.parse(raw), notes: [] });
  });

  test.each<readonly [string | JsonObject, RegExp]>([
    ['{"n":1e999}', /^the argument "n" holds the number Infinity, which has no end$/],
    ['{"a":[1,{"n":-1e999}]}', /^the argument "a\.1\.n" holds the number -Infinity/],
    [{ n: Number.NaN }, /^the argument "n" holds the number NaN/],
    ['{"content":"half \\ud83d of one"}', /^the argument "content" holds half of a character.*\\ud83d/],
    ['{"content":"\\udc00"}', /\\udc00/],
    ['{"\\ud83d":1}', /holds half of a character/],
  ])("refuses what no file can hold: case %#", (raw, message) => {
    const read = readArguments(raw);
    expect(read.ok ? "" : read.message).toMatch(message);
  });

  test("a megabyte of quotes and braces is read in linear time", async () => {
    const read = (size: number) => {
      const value = {
        content: '{"a":"\\'.repeat(3 * size),
        list: Array.from({ length: size }, (_, index) => index),
      };
      const text = JSON.stringify(value);
      return () => expect(readArguments(text).ok).toBe(true);
    };
    expect(await growth(read(6_250), read(50_000), 24)).toBeLessThan(24);
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

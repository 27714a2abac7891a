/** The changes that coercion reports: values of another type, keys that are renamed or dropped. */
import { type Change, coerce, type JsonValue, parametersSchema } from "@localharness/schema";
import { describe, expect, test } from "vitest";

type Json = { [key: string]: unknown };
type Kind = Change["kind"];

function coerced(parameters: Json, args: JsonValue, texts: readonly string[] = []) {
  const { value, changes } = coerce(args, parametersSchema(parameters), "", { texts: new Set(texts) });
  return { value, kinds: [...new Set(changes.map(({ kind }) => kind))] };
}

/** The value of the one argument `x`, whose schema is given. */
function one(schema: Json, value: JsonValue, rest: Json = {}) {
  const all = coerced({ type: "object", properties: { x: schema }, required: ["x"], ...rest }, { x: value });
  return { value: (all.value as { x?: JsonValue }).x, kinds: all.kinds };
}

describe("a value", () => {
  const string = { type: "string" };
  test.each<[string, Json, JsonValue, JsonValue, readonly Kind[]]>([
    ["of its type stays", string, "007", "007", []],
    ["without a schema stays", {}, "5", "5", []],
    ["that may be a text stays one", { type: ["integer", "string"] }, "5", "5", []],
    ["is typed", { type: "integer" }, "5", 5, ["typed"]],
    ["is typed through an alias of the type", { type: "int" }, "5", 5, ["typed"]],
    ["is typed by its fixed values", { enum: [1, 2] }, "2", 2, ["typed"]],
    ["is typed by a union", { anyOf: [{ type: "null" }, { type: "number" }] }, "null", null, ["typed"]],
    ["is typed by a nullable type", { type: "number", nullable: true }, "None", null, ["typed"]],
    ["that is null in no language we read stays", { type: ["number", "null"] }, "nil", "nil", []],
    ["that is no such type stays", { type: "integer" }, "five", "five", []],
    ["that is an object where a number is wanted stays", { type: "number" }, { a: 1 }, { a: 1 }, []],
    ["of a number where only a text is wanted", string, 5, "5", ["typed"]],
    ["of a truth value where only a text is wanted", string, true, "true", ["typed"]],
    ["of a number where a text or null is wanted", { type: ["string", "null"] }, 5, "5", ["typed"]],
    ["of a number where a text or a list is wanted stays", { type: ["string", "array"] }, 5, 5, []],
    [
      "of an object where a text or null is wanted stays",
      { type: ["string", "null"] },
      { a: 1 },
      { a: 1 },
      [],
    ],
    ["of 1 where a truth value or a text is wanted stays", { type: ["boolean", "string"] }, 1, 1, []],
    ["of 1 where a truth value is wanted", { type: "boolean" }, 1, true, ["typed"]],
    ["of 2 where a truth value is wanted stays", { type: "boolean" }, 2, 2, []],
    ["of a whole number is a number", { type: "number" }, 5, 5, []],
    [
      "of a list is typed by its items",
      { items: { type: "integer" } },
      ["1", 2, "x"],
      [1, 2, "x"],
      ["typed"],
    ],
    [
      "of a list is typed by its places, and after them by its items",
      { prefixItems: [{ type: "integer" }, string], items: { type: "integer" } },
      ["1", 2, "3"],
      [1, "2", 3],
      ["typed"],
    ],
    ["of a long number where a text is wanted stays", string, 2 ** 60, 2 ** 60, []],
    ["of a fraction where a text is wanted is typed", string, 3.1, "3.1", ["typed"]],
    [
      "that has more digits than a number stays",
      { type: "number" },
      "12345678901234567890",
      "12345678901234567890",
      [],
    ],
    ["that is a list as a text", { type: "array" }, '["a"]', ["a"], ["typed"]],
    [
      "that is an object as a text, typed inside",
      { type: "object", properties: { n: { type: "integer" } } },
      '{"n": "3"}',
      { n: 3 },
      ["typed"],
    ],
  ])("%s", (_title, schema, value, expected, kinds) => {
    expect(one(schema, value)).toEqual({ value: expected, kinds });
  });

  test("is typed through a reference, also one that goes round", () => {
    const $defs = {
      n: { type: "integer" },
      tree: { properties: { n: { $ref: "#/$defs/n" }, sub: { $ref: "#/$defs/tree" } } },
    };
    expect(
      one({ $ref: "#/$defs/tree" }, { n: "1", sub: { n: "2", sub: { n: "3" } } }, { $defs }).value,
    ).toEqual({
      n: 1,
      sub: { n: 2, sub: { n: 3 } },
    });
  });

  test("stays a text at the first level where the format gives the types", () => {
    const properties = { x: { type: "integer" }, y: { properties: { z: { type: "integer" } } } };
    expect(coerced({ properties }, { x: "5", y: { z: "5" } }, ["x"]).value).toEqual({ x: "5", y: { z: 5 } });
  });

  test("is not walked deeper than any schema goes", () => {
    let deep: JsonValue = "5";
    for (let level = 0; level < 400; level += 1) deep = [deep];
    const items: Json = { $ref: "#/$defs/list" };
    expect(one(items, deep, { $defs: { list: { items } } }).value).toEqual(deep);
  });
});

describe("keys", () => {
  const closed = { type: "object", properties: { path: { type: "string" } }, additionalProperties: false };
  test.each<[string, Json, JsonValue, JsonValue, readonly Kind[]]>([
    ["that are not declared stay", { properties: { a: {} } }, { b: 1 }, { b: 1 }, []],
    ["that are forbidden go", closed, { path: "a", note: "b" }, { path: "a" }, ["dropped"]],
    [
      "that are forbidden by name go",
      { properties: { a: false, b: {} } },
      { a: 1, b: 2 },
      { b: 2 },
      ["dropped"],
    ],
    ["in other letters are meant", closed, { Path: "a" }, { path: "a" }, ["renamed"]],
    [
      "that are synonyms of what is missing are meant",
      { properties: { command: { type: "string" } }, required: ["command"], additionalProperties: false },
      { cmd: "a" },
      { command: "a" },
      ["renamed"],
    ],
    ["that say the same twice are one", closed, { path: "a", Path: "a" }, { path: "a" }, ["dropped"]],
    [
      "that say nothing beside a value go",
      closed,
      { path: null, Path: "a" },
      { path: "a" },
      ["dropped", "renamed"],
    ],
    ["of one name with two values stay", closed, { path: "a", Path: "b" }, { path: "a", Path: "b" }, []],
    ["that are not given go", closed, { path: null }, {}, ["dropped"]],
    [
      "that match a pattern are typed",
      { patternProperties: { "^n_": { type: "integer" } } },
      { n_a: "1" },
      { n_a: 1 },
      ["typed"],
    ],
    [
      "that a pattern may allow stay",
      { patternProperties: { "^(a+)+$": { type: "string" } }, additionalProperties: false },
      { aaaaaaaaaaaaaaaaaaaa: "b", "content-type": "c" },
      { aaaaaaaaaaaaaaaaaaaa: "b", "content-type": "c" },
      [],
    ],
    [
      "that a pattern of words allows stay",
      { patternProperties: { "^[a-z]+(-[a-z]+)*$": { type: "string" } }, additionalProperties: false },
      { "accept-language": "b", "content-type": "c", Host: "d" },
      { "accept-language": "b", "content-type": "c" },
      ["dropped"],
    ],
    [
      "of any other name are typed",
      { additionalProperties: { type: "integer" } },
      { a: "1" },
      { a: 1 },
      ["typed"],
    ],
  ])("%s", (_title, schema, args, expected, kinds) => {
    expect(coerced(schema, args)).toEqual({ value: expected, kinds });
  });

  test("that say nothing are told of only if they are unknown", () => {
    const { changes } = coerce({ path: null, Path: "a", note: "b" }, parametersSchema(closed));
    expect(changes.flatMap(({ note }) => note ?? [])).toEqual(['unknown key "note" was ignored']);
  });

  test("never reach a prototype", () => {
    const args = JSON.parse('{"__proto__": {"polluted": "5"}, "constructor": "6"}') as JsonValue;
    const { value } = coerced({ additionalProperties: { type: "integer" } }, args);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":"5"},"constructor":6}');
  });
});

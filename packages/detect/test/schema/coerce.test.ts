/** Values become what their schema asks for, where they have one reading; everything else stays as it is. */
import { describe, expect, test } from "vitest";
import { coerceArguments, convertText } from "../../src/schema/coerce.ts";
import { parametersSchema, type TypeName } from "../../src/schema/read-schema.ts";
import type { JsonValue, Repair } from "../../src/types.ts";

type Json = { [key: string]: unknown };

function coerced(parameters: Json, args: JsonValue, textStays = false) {
  const repairs = new Set<Repair>();
  return {
    value: coerceArguments(args, parametersSchema(parameters), repairs, textStays),
    repairs: [...repairs],
  };
}

/** The value of the one argument `x`, whose schema is given. */
function one(schema: Json, value: JsonValue, rest: Json = {}) {
  const { value: args, repairs } = coerced(
    { type: "object", properties: { x: schema }, ...rest },
    { x: value },
  );
  return { value: (args as { x?: JsonValue }).x, repairs };
}

describe("a text is read as the narrowest of several types", () => {
  const all: TypeName[] = ["string", "object", "array", "number", "integer", "boolean", "null"];
  // Null, boolean, integer, number, list or object, text: in this order, wherever the schema lists them.
  test.each<[string, readonly TypeName[], JsonValue | undefined]>([
    ["null", all, null],
    [" None ", all, null],
    ["nil", ["null", "boolean"], null],
    ["null", ["boolean", "integer"], undefined],
    ["TRUE", all, true],
    ["False", ["boolean", "integer"], false],
    ["yes", ["boolean"], undefined],
    ["1", ["boolean", "integer"], 1],
    ["+7", all, 7],
    ["5.0", ["integer", "number"], 5],
    ["5.5", ["integer", "number"], 5.5],
    ["5.5", ["integer"], undefined],
    [".5", ["number"], 0.5],
    ["-1e3", ["number"], -1000],
    ["1e999", ["number"], undefined],
    ["0x10", ["integer", "number"], undefined],
    ["Infinity", ["number"], undefined],
    ["[1, 'a',]", all, [1, "a"]],
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
});

describe("a value", () => {
  const string = { type: "string" };
  test.each<[string, Json, JsonValue, JsonValue, readonly Repair[]]>([
    ["of its type stays", string, "007", "007", []],
    ["without a schema stays", {}, "5", "5", []],
    ["that may be a text stays one", { type: ["integer", "string"] }, "5", "5", []],
    ["is typed", { type: "integer" }, "5", 5, ["typed-value"]],
    ["is typed through an alias of the type", { type: "int" }, "5", 5, ["typed-value"]],
    ["is typed by its fixed values", { enum: [1, 2] }, "2", 2, ["typed-value"]],
    ["is typed by a union", { anyOf: [{ type: "null" }, { type: "number" }] }, "null", null, ["typed-value"]],
    ["is typed by a nullable type", { type: "number", nullable: true }, "none", null, ["typed-value"]],
    ["that is no such type stays", { type: "integer" }, "five", "five", []],
    ["that is an object where a number is wanted stays", { type: "number" }, { a: 1 }, { a: 1 }, []],
    ["of a number where only a text is wanted", string, 5, "5", ["typed-value"]],
    ["of a truth value where only a text is wanted", string, true, "true", ["typed-value"]],
    ["of a number where a text or null is wanted stays", { type: ["string", "null"] }, 5, 5, []],
    ["of 1 where a truth value is wanted", { type: "boolean" }, 1, true, ["typed-value"]],
    ["of 2 where a truth value is wanted stays", { type: "boolean" }, 2, 2, []],
    ["of a whole number is a number", { type: "number" }, 5, 5, []],
    [
      "of a list is typed by its items",
      { items: { type: "integer" } },
      ["1", 2, "x"],
      [1, 2, "x"],
      ["typed-value"],
    ],
    [
      "of a list is typed by its places",
      { prefixItems: [{ type: "integer" }, string] },
      ["1", 2],
      [1, "2"],
      ["typed-value"],
    ],
    ["that is a list as a text", { type: "array" }, '["a"]', ["a"], ["typed-value"]],
    [
      "that is an object as a text, typed inside",
      { type: "object", properties: { n: { type: "integer" } } },
      '{"n": "3"}',
      { n: 3 },
      ["typed-value"],
    ],
  ])("%s", (_title, schema, value, expected, repairs) => {
    expect(one(schema, value)).toEqual({ value: expected, repairs });
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
    expect(coerced({ properties }, { x: "5", y: { z: "5" } }, true).value).toEqual({ x: "5", y: { z: 5 } });
  });

  test("is not walked deeper than any schema goes", () => {
    let deep: JsonValue = "5";
    for (let level = 0; level < 400; level++) deep = [deep];
    const items: Json = { $ref: "#/$defs/list" };
    expect(one(items, deep, { $defs: { list: { items } } }).value).toEqual(deep);
  });
});

describe("of a union of objects", () => {
  const union = {
    oneOf: [
      { type: "object", properties: { kind: { const: "move" }, to: { type: "string" } } },
      { type: "object", properties: { kind: { const: "resize" }, to: { type: "integer" } } },
      {
        type: "object",
        properties: { kind: { enum: ["turn"] }, by: { type: "number" }, to: { type: "boolean" } },
      },
    ],
  };
  test.each<[string, JsonValue, JsonValue]>([
    ["the branch of its fixed value types it", { kind: "resize", to: "5" }, { kind: "resize", to: 5 }],
    ["the first branch that agrees types it", { kind: "move", to: 5 }, { kind: "move", to: "5" }],
    ["the branch with most of its keys types it", { by: "1.5", to: "true" }, { by: 1.5, to: true }],
    [
      "what agrees with none is typed by the first that has its keys",
      { kind: "fly", to: 5 },
      { kind: "fly", to: "5" },
    ],
  ])("%s", (_title, value, expected) => {
    expect(coerced(union, value).value).toEqual(expected);
    expect(one(union, value).value).toEqual(expected);
  });
});

describe("keys", () => {
  const closed = { type: "object", properties: { path: { type: "string" } }, additionalProperties: false };
  test.each<[string, Json, JsonValue, JsonValue, readonly Repair[]]>([
    ["that are not declared stay", { properties: { a: {} } }, { b: 1 }, { b: 1 }, []],
    ["that are forbidden go", closed, { path: "a", note: "b" }, { path: "a" }, ["dropped-key"]],
    [
      "that are forbidden by name go",
      { properties: { a: false, b: {} } },
      { a: 1, b: 2 },
      { b: 2 },
      ["dropped-key"],
    ],
    ["in other letters are meant", closed, { Path: "a" }, { path: "a" }, ["argument-key"]],
    [
      "that match a pattern are typed",
      { patternProperties: { "^n_": { type: "integer" } } },
      { n_a: "1" },
      { n_a: 1 },
      ["typed-value"],
    ],
    [
      "of any other name are typed",
      { additionalProperties: { type: "integer" } },
      { a: "1" },
      { a: 1 },
      ["typed-value"],
    ],
  ])("%s", (_title, schema, args, expected, repairs) => {
    expect(coerced(schema, args)).toEqual({ value: expected, repairs });
  });

  test("never reach a prototype", () => {
    const args = JSON.parse('{"__proto__": {"polluted": "5"}, "constructor": "6"}') as JsonValue;
    const { value } = coerced({ additionalProperties: { type: "integer" } }, args);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":"5"},"constructor":6}');
  });
});

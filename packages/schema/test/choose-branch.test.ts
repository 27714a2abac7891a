/** The branch of a union that is used for a value. */
import { coerce, type JsonValue, parametersSchema, validate } from "@localharness/schema";
import { describe, expect, test } from "vitest";
import { growth } from "../../../test/measures.ts";

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
    expect(coerce(value, parametersSchema(union)).value).toEqual(expected);
  });
});

describe("of a union of lists", () => {
  const lists = {
    anyOf: [
      { type: "array", items: { type: "string" } },
      { type: "array", items: { type: "integer" } },
    ],
  };
  test.each<[JsonValue, JsonValue]>([
    [["a"], ["a"]],
    [
      [1, 2],
      [1, 2],
    ],
    [
      [1, "2"],
      ["1", "2"],
    ],
  ])("the branch that most items fit types %j", (value, expected) => {
    expect(coerce(value, parametersSchema(lists)).value).toEqual(expected);
  });
});

describe("of a union in which one branch forbids other keys", () => {
  const string = { type: "string" };
  const shape = (name: string, required: readonly string[], rest: object = {}) => ({
    type: "object",
    properties: { [name]: string },
    required,
    ...rest,
  });
  const closed = (required: readonly string[]) => shape("a", required, { additionalProperties: false });
  test.each<[string, object, JsonValue, JsonValue]>([
    [
      "another one takes them",
      { anyOf: [closed(["a"]), shape("b", ["b"])] },
      { b: "x", c: 1 },
      { b: "x", c: 1 },
    ],
    ["another one takes them alone", { anyOf: [closed([]), shape("b", [])] }, { c: 1 }, { c: 1 }],
    [
      "another one takes them beside a key of this one",
      { anyOf: [closed([]), shape("b", [])] },
      { a: "x", c: 1 },
      { a: "x", c: 1 },
    ],
    [
      "they stay beside what all have in common",
      { properties: { z: string }, anyOf: [closed([]), shape("b", [])] },
      { z: "x", c: 1 },
      { z: "x", c: 1 },
    ],
    [
      "no other one takes what has them",
      { anyOf: [closed(["a"]), shape("b", ["b"])] },
      { a: "x", c: 1 },
      { a: "x" },
    ],
    [
      "another one takes them with what it has wrong inside",
      { anyOf: [closed(["a"]), { properties: { b: { properties: { n: { type: "null" } } } } }] },
      { a: "x", b: { n: null }, c: 1 },
      { a: "x", b: { n: null }, c: 1 },
    ],
    [
      "the other one forbids them by name",
      { anyOf: [closed(["a"]), { properties: { c: false } }] },
      { a: "x", c: 1 },
      { a: "x" },
    ],
    [
      "the other one wants them as another type",
      { anyOf: [closed(["a"]), { properties: { c: { type: "null" } } }] },
      { a: "x", c: 1 },
      { a: "x" },
    ],
  ])("%s", (_title, union, value, expected) => {
    const schema = parametersSchema({ properties: { p: union } });
    const coerced = coerce({ p: value }, schema).value;
    expect(coerced).toEqual({ p: expected });
    expect(validate(coerced, schema)).toEqual([]);
  });
});

describe("a union that refers to itself in two closed branches", () => {
  const node = { $ref: "#/$defs/n" };
  const shape = (properties: object) => ({ type: "object", properties, additionalProperties: false });
  const n = { anyOf: [shape({ c: node }), shape({ c: node, d: node })] };
  const schema = parametersSchema({ properties: { p: node }, $defs: { n } });
  const deep = (depth: number): JsonValue => {
    let value: JsonValue = { junk: 1 };
    for (let level = 0; level < depth; level += 1) value = { c: value };
    return { p: value };
  };

  test("loses unknown keys in linear time", async () => {
    expect(coerce(deep(8), schema).changes).toHaveLength(1);
    const read = (depth: number) => () => coerce(deep(depth), schema);
    expect(await growth(read(5), read(15), 20)).toBeLessThan(20);
  });

  test("is checked in a time that grows with the value only", async () => {
    const checked = (depth: number) => () => validate(deep(depth), schema);
    expect(validate(deep(8), schema)).toEqual(['parameter "p.c.c.c.c.c.c.c.c.junk" is not known']);
    expect(await growth(checked(8), checked(24), 24)).toBeLessThan(24);
  });
});

describe("a union is kept", () => {
  const shape = (properties: object, required: string[]) => ({ type: "object", properties, required });
  const a = shape({ a: { type: "integer" } }, ["a"]);
  const b = shape({ a: { type: "string" }, b: { type: "string" } }, ["b"]);
  test.each<[string, object, JsonValue, readonly string[]]>([
    ["by any branch", { anyOf: [a, b] }, { a: 1 }, []],
    ["by another branch than the one with most keys", { anyOf: [b, a] }, { a: 1, b: 2 }, []],
    [
      "beside what all have in common",
      { properties: { c: {} }, required: ["c"], anyOf: [a, b] },
      { a: 1, c: 1 },
      [],
    ],
    ["by what is required alone", { anyOf: [{ required: ["x"] }, { required: ["y"] }] }, { y: 1 }, []],
    [
      "by no branch",
      { oneOf: [a, b] },
      { a: "q" },
      ['parameter "p.a" must be an integer, but is the string "q"'],
    ],
    [
      "by no value",
      { anyOf: [{ enum: ["x"] }, { minimum: 5, type: "integer" }] },
      3,
      ['parameter "p" must be one of "x" or an integer (at least 5), but is the number 3'],
    ],
  ])("%s", (_title, schema, value, problems) => {
    expect(validate(value, parametersSchema(schema), "p")).toEqual(problems);
  });

  test("where schemas refer to themselves in several ways, without taking for ever", () => {
    const self = { $ref: "#" };
    const schema = {
      type: "object",
      properties: { a: self },
      allOf: [self, self],
      anyOf: [self, { properties: { a: self } }],
    };
    let value: JsonValue = "q";
    for (let level = 0; level < 90; level += 1) value = { a: value };
    expect(validate(value, parametersSchema(schema)).length).toBeGreaterThan(0);
    expect(coerce(value, parametersSchema(schema)).value).toEqual(value);
  });
});

/** The demands of a schema on one value, through references, wrappers and combinations. */
import {
  isClosed,
  isForbidden,
  itemSchema,
  parametersSchema,
  propertyNames,
  propertySchema,
  requiredNames,
  typesOf,
} from "@localharness/schema";
import { describe, expect, test } from "vitest";

type Json = { [key: string]: unknown };
const read = (node: Json) => parametersSchema(node);

describe("the types of a value", () => {
  test.each<[string, Json, readonly string[]]>([
    ["one type", { type: "string" }, ["string"]],
    ["several types", { type: ["string", "null"] }, ["string", "null"]],
    [
      "names from other languages",
      { type: ["str", "int64", "dict", "float", "bool", "list"] },
      ["string", "integer", "object", "number", "boolean", "array"],
    ],
    ["numbers of a size", { type: ["uint32", "Int8"] }, ["integer"]],
    ["items in the name", { type: ["list[int]", "Dict<string, int>", "string[]"] }, ["array", "object"]],
    ["a length in the name", { type: "varchar(20)" }, ["string"]],
    ["a type that may be null", { type: "integer", nullable: true }, ["integer", "null"]],
    ["a union", { anyOf: [{ type: "string" }, { type: "integer" }] }, ["string", "integer"]],
    [
      "a union inside a union",
      { oneOf: [{ anyOf: [{ type: "null" }] }, { type: "array" }] },
      ["null", "array"],
    ],
    ["parts of one schema", { allOf: [{ type: "object" }, {}] }, ["object"]],
    ["fixed values", { enum: ["a", 1, null, 1.5] }, ["string", "integer", "null", "number"]],
    ["one fixed value", { const: true }, ["boolean"]],
    ["properties", { properties: {} }, ["object"]],
    ["items", { items: {} }, ["array"]],
    ["a reference", { $ref: "#/$defs/a~1b", $defs: { "a/b": { type: "number" } } }, ["number"]],
    ["a library's wrapper", { jsonSchema: { type: "object" } }, ["object"]],
    ["a reference to itself", { $ref: "#" }, []],
    ["a reference out of the document", { $ref: "https://example.org/schema" }, []],
    ["a name that is no type", { type: "thing" }, []],
    ["nothing", {}, []],
  ])("%s", (_title, node, types) => {
    expect([...typesOf(read(node))]).toEqual(types);
  });
});

describe("properties", () => {
  const schema = read({
    type: "object",
    properties: { a: { type: "string" }, b: true, c: false },
    required: ["a", 5],
    allOf: [{ properties: { d: { type: "integer" } }, required: ["d"] }],
    patternProperties: { "^x-": { type: "boolean" }, "^any-": true, "(a+)+$": { type: "null" } },
    additionalProperties: { type: "number" },
  });

  test("are those of all parts", () => {
    expect(propertyNames(schema)).toEqual(["a", "b", "c", "d"]);
    expect(requiredNames(schema)).toEqual(["a", "d"]);
  });

  test.each<[string, readonly string[]]>([
    ["a", ["string"]],
    ["b", []],
    ["d", ["integer"]],
    ["x-y", ["boolean"]],
    ["any-y", []],
    ["other", ["number"]],
    ["constructor", ["number"]],
    // Such a pattern could take forever on a long key.
    [`${"a".repeat(40)}!`, ["number"]],
  ])("%s has the types %j", (key, types) => {
    const inner = propertySchema(schema, key);
    expect(inner && [...typesOf(inner)]).toEqual(types);
  });

  test("may be allowed by a pattern that was not run", () => {
    const rules = { "(a+)+$": { type: "null" }, "^x-": { type: "boolean" } };
    const patterned = read({ patternProperties: rules, additionalProperties: false });
    const keys = [`${"a".repeat(40)}!`, `x-${"a".repeat(40)}`];
    const types = keys
      .map((key) => propertySchema(patterned, key))
      .map((inner) => inner && [...typesOf(inner)]);
    expect(types).toEqual([[], ["boolean"]]);
  });

  test("may be forbidden by name, by pattern, or all that are not declared", () => {
    expect(["a", "c"].map((key) => isForbidden(schema, key))).toEqual([false, true]);
    expect(isForbidden(read({ patternProperties: { "^_": false } }), "_a")).toBe(true);
    const closed = [
      { additionalProperties: false },
      { unevaluatedProperties: false },
      { patternProperties: { "^x": {} } },
      { properties: {}, patternProperties: { "^x": {} } },
      { additionalProperties: true },
      {},
    ];
    expect(closed.map((node) => isClosed(read(node)))).toEqual([true, true, true, false, false, false]);
  });

  test("are all that a combined schema takes, unless a part or each branch forbids others", () => {
    const closed = { additionalProperties: false };
    const $defs = { loop: { anyOf: [{ $ref: "#/$defs/loop" }, closed] }, closed: { allOf: [closed] } };
    const combined: readonly (readonly [Json, boolean])[] = [
      [{ allOf: [{}, closed] }, true],
      [{ anyOf: [closed, {}] }, false],
      [{ oneOf: [closed, {}] }, false],
      [{ anyOf: [closed, closed] }, true],
      [{ anyOf: [closed, {}], oneOf: [closed] }, true],
      [{ anyOf: [closed, {}], ...closed }, true],
      [{ anyOf: [{ allOf: [closed] }, { anyOf: [{}, closed] }] }, false],
      [{ anyOf: [{ $ref: "#/$defs/closed" }, { $ref: "#/$defs/closed" }], $defs }, true],
      [{ $ref: "#/$defs/loop", $defs }, false],
    ];
    for (const [node, expected] of combined)
      expect(isClosed(read(node)), JSON.stringify(node)).toBe(expected);
  });
});

test.each<[string, Json, readonly (readonly string[] | undefined)[]]>([
  ["all items", { items: { type: "string" } }, [["string"], ["string"]]],
  ["items by place", { prefixItems: [{ type: "string" }], items: { type: "null" } }, [["string"], ["null"]]],
  ["items only by place", { prefixItems: [{ type: "string" }] }, [["string"], undefined]],
  [
    "items by place, as it was once written",
    { items: [{ type: "string" }], additionalItems: { type: "null" } },
    [["string"], ["null"]],
  ],
  ["no items", {}, [undefined, undefined]],
])("the schemas of %s", (_title, node, types) => {
  const found = [0, 1].map((index) => itemSchema(read(node), index));
  expect(found.map((schema) => schema && [...typesOf(schema)])).toEqual(types);
});

/** Checks values against JSON Schemas of both drafts, and schemas that are refused. */
import type { JsonValue as Json, JsonObject } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { createValueCheck } from "../../../src/commands/answer-schema/check-value.ts";

function problems(value: Json, schema: JsonObject): readonly string[] {
  const check = createValueCheck(schema);
  if (!check.ok) throw new Error(check.problem);
  return check.problemsOf(value);
}

const rows: [schema: JsonObject, right: Json[], wrong: Json[]][] = [
  [{}, [1, "a", null], []],
  [{ type: "integer" }, [1, -3, 2.0], [1.5, "1", null, true]],
  [{ type: "number" }, [1, 1.5], ["1"]],
  [{ type: ["string", "null"] }, ["", null], [0, []]],
  [{ type: "object" }, [{}], [[], null, "x"]],
  [{ enum: ["a", { b: 1, c: 2 }] }, ["a", { c: 2, b: 1 }], ["b", { b: 1 }]],
  [{ const: null }, [null], [0, ""]],
  [{ properties: { a: { type: "string" } } }, [{}, { a: "x" }, { b: 1 }, 5], [{ a: 1 }]],
  [{ required: ["a", "toString"] }, [{ a: 1, toString: 1 }, 5], [{}, { a: 1 }]],
  [{ properties: { a: true }, additionalProperties: false }, [{}, { a: 1 }], [{ b: 1 }, { constructor: 1 }]],
  [{ additionalProperties: { type: "integer" } }, [{ x: 1 }], [{ x: "1" }]],
  [{ items: { type: "string" } }, [[], ["a"]], [["a", 1]]],
  [
    { minItems: 1, maxItems: 2, uniqueItems: true },
    [[1], [1, 2], "x"],
    [[], [1, 2, 3], [{ a: 1 }, { a: 1 }]],
  ],
  [{ minLength: 2, maxLength: 3 }, ["ab", "😀😀😀", 5], ["a", "abcd"]],
  [{ minimum: 1, maximum: 3 }, [1, 3, "9"], [0, 4]],
  [{ exclusiveMinimum: 1, exclusiveMaximum: 3 }, [2], [1, 3]],
  [{ multipleOf: 5 }, [0, 10], [7]],
  [{ multipleOf: 0.1 }, [0.3, 1.1, 0.7], [0.35]],
  [{ minProperties: 1, maxProperties: 1 }, [{ a: 1 }], [{}, { a: 1, b: 2 }]],
  [{ pattern: "^a+$" }, ["aa", 5], ["b", ""]],
  [{ anyOf: [{ type: "string" }, { minimum: 5 }] }, ["x", 6], [4]],
  [{ oneOf: [{ type: "integer" }, { minimum: 5 }] }, [4, 5.5], [6, 4.5]],
  [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1.5], [0, 3]],
  [{ not: { type: "null" } }, [0], [null]],
  [{ $defs: { name: { type: "string" } }, items: { $ref: "#/$defs/name" } }, [["a"]], [[1]]],
  [
    { properties: { next: { $ref: "#" } }, required: ["value"] },
    [{ value: 1, next: { value: 2 } }],
    [{ value: 1, next: { next: {} } }],
  ],
];

const drafts: typeof rows = [
  [{ $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] }, [["a", 1]], [[1]]],
  [{ prefixItems: [{ type: "string" }] }, [["a", 1]], [[1]]],
  [{ if: { minimum: 5 }, else: { multipleOf: 2 } }, [4, 7], [3]],
  [{ patternProperties: { "^x-": { type: "string" } } }, [{ "x-a": "b", y: 1 }], [{ "x-a": 1 }]],
  [{ contains: { const: 1 } }, [[0, 1]], [[0]]],
  [{ type: "string", format: "date", pattern: "^\\d+\\-" }, ["1-"], ["a-", 1]],
];

describe.each([...rows, ...drafts])("the schema %j", (schema, right, wrong) => {
  test.each(right.map((value) => ({ value })))("accepts $value", ({ value }) => {
    expect(problems(value, schema)).toEqual([]);
  });
  test.each(wrong.map((value) => ({ value })))("refuses $value", ({ value }) => {
    expect(problems(value, schema)).not.toEqual([]);
  });
});

test("names at most ten problems, each with its path", () => {
  const schema = { items: { properties: { n: { type: "integer" } }, required: ["n"] } };
  expect(problems([{ n: 1 }, { n: "x" }, {}], schema)).toEqual([
    "$/1/n must be integer",
    "$/2 must have required property 'n'",
  ]);
  expect(problems(Array(50).fill("x"), { items: { type: "null" } })).toHaveLength(10);
  const named = { additionalProperties: false, properties: { a: { enum: ["x", "y"] } } };
  expect(problems({ a: "z", b: 1 }, named).toSorted()).toEqual([
    '$ must NOT have additional properties: "b"',
    '$/a must be equal to one of the allowed values: ["x","y"]',
  ]);
});

test.each<[JsonObject, RegExp]>([
  [{ requierd: ["a"] }, /unknown keyword: "requierd"/],
  [{ properties: { a: { foo: {} } } }, /unknown keyword: "foo"/],
  [{ $defs: { a: { type: "text" } } }, /type must be/],
  [{ $ref: "https://elsewhere/schema" }, /can't resolve reference https:\/\/elsewhere/],
  [{ $ref: "#/$defs/none" }, /can't resolve reference #\/\$defs\/none/],
  [
    { $schema: "http://json-schema.org/draft-04/schema#" },
    /"\$schema" expects draft 2020-12 or draft-07, got .*draft-04/,
  ],
  [{ $schema: "http://json-schema.org/draft-06/schema#" }, /"\$schema" expects/],
  [{ pattern: "(" }, /Invalid regular expression/],
  [{ minimum: "1" }, /minimum must be number/],
  [{ $async: true }, /"\$async" cannot be checked here/],
])("the schema %j is refused", (schema, said) => {
  const check = createValueCheck(schema);
  expect(check.ok ? "" : check.problem).toMatch(said);
});

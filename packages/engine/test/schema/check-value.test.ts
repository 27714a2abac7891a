import { describe, expect, test } from "vitest";
import { checkValue, schemaProblem } from "../../src/schema/check-value.ts";

type Json = Parameters<typeof checkValue>[0];

const rows: [schema: Json, right: Json[], wrong: Json[]][] = [
  [true, [1, null, {}], []],
  [false, [], [1, null]],
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

describe.each(rows)("the schema %j", (schema, right, wrong) => {
  test("can be checked", () => expect(schemaProblem(schema)).toBeUndefined());
  test.each(right.map((value) => ({ value })))("takes $value", ({ value }) => {
    expect(checkValue(value, schema)).toEqual([]);
  });
  test.each(wrong.map((value) => ({ value })))("does not take $value", ({ value }) => {
    expect(checkValue(value, schema)).not.toEqual([]);
  });
});

test("what is wrong is named with its place, at most ten times", () => {
  const schema = { items: { properties: { n: { type: "integer" } }, required: ["n"] } };
  expect(checkValue([{ n: 1 }, { n: "x" }, {}], schema)).toEqual([
    '$[1].n must be integer, but is the string "x"',
    "$[2].n is missing",
  ]);
  expect(checkValue(Array(50).fill("x"), { items: { type: "null" } })).toHaveLength(10);
});

test.each([
  [[], /a schema is an object/],
  [{ if: {} }, /"if" cannot be checked here/],
  [{ properties: { a: { patternProperties: {} } } }, /"patternProperties" cannot be checked/],
  [{ $defs: { a: { contains: {} } } }, /"contains" cannot be checked/],
  [{ $ref: "https://elsewhere/schema" }, /"\$ref" can only name a part of the same file/],
  [{ $ref: "#/$defs/none" }, /"\$ref" can only name/],
  [{ type: "text" }, /"type" cannot be/],
  [{ pattern: "(" }, /"pattern" is no regular expression/],
  [{ minimum: "1" }, /"minimum" cannot be/],
  [{ items: [{ type: "string" }] }, /a schema is an object/],
])("the schema %j is refused", (schema, said) => {
  expect(schemaProblem(schema as Json)).toMatch(said);
});

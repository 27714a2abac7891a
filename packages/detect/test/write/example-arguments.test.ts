/** Arguments made up for a tool fit its schema. */
import { expect, test } from "vitest";
import type { JsonValue } from "../../src/types.ts";
import { exampleArguments } from "../../src/write/example-arguments.ts";

type Json = { [key: string]: unknown };
const required = (schema: Json) => ({ properties: { my_value: schema }, required: ["my_value"] });

test.each<[string, Json, JsonValue]>([
  ["a text is named like its argument", required({ type: "string" }), { my_value: "my value" }],
  ["a fixed value", required({ const: 3 }), { my_value: 3 }],
  ["the first of fixed values", required({ enum: ["b", "a"] }), { my_value: "b" }],
  ["a given example", required({ type: "string", examples: ["x.txt"] }), { my_value: "x.txt" }],
  ["a default", required({ type: "integer", default: 0 }), { my_value: 0 }],
  ["a whole number", required({ type: "integer" }), { my_value: 1 }],
  ["a number that is large enough", required({ type: "number", minimum: 10.5 }), { my_value: 10.5 }],
  ["a truth value", required({ type: "boolean" }), { my_value: true }],
  ["null", required({ type: "null" }), { my_value: null }],
  ["a list of one", required({ type: "array", items: { type: "integer" } }), { my_value: [1] }],
  ["a list of anything", required({ type: "array" }), { my_value: [] }],
  ["an object's required keys", required(required({ type: "boolean" })), { my_value: { my_value: true } }],
  [
    "the first of several objects",
    required({ anyOf: [required({ const: 1 }), {}] }),
    { my_value: { my_value: 1 } },
  ],
  ["the required ones alone", { properties: { a: {}, b: {} }, required: ["b"] }, { b: "b" }],
  ["the first one where none is required", { properties: { a: {}, b: {} } }, { a: "a" }],
  ["a required one that is not declared", { required: ["a"] }, { a: "text" }],
  ["nothing for a tool without arguments", {}, {}],
])("%s", (_title, parameters, expected) => {
  expect(exampleArguments({ name: "f", parameters })).toEqual(expected);
});

test("a schema that holds itself comes to an end", () => {
  const node: Json = { type: "object", properties: { sub: { $ref: "#" } }, required: ["sub"] };
  expect(JSON.stringify(exampleArguments({ name: "f", parameters: node })).length).toBeLessThan(200);
});

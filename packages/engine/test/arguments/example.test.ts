/** The correct example in an error message about invalid arguments. */
import { exampleArguments, type ParametersSchema, type ValueSchema } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { parametersSchema, validate } from "@localharness/schema";
import { describe, expect, test } from "vitest";

const object = (
  properties: Record<string, ValueSchema>,
  required = Object.keys(properties),
): ParametersSchema => ({
  type: "object",
  properties,
  required,
});

describe("an example", () => {
  test.each<readonly [string, ParametersSchema, JsonObject, JsonObject]>([
    [
      "has what is required, and nothing else",
      object({ path: { type: "string" }, all: { type: "boolean" } }, ["path"]),
      {},
      { path: "src/main.ts" },
    ],
    [
      "keeps what was right",
      object({ path: { type: "string" }, n: { type: "integer" } }),
      { path: "b.md" },
      { path: "b.md", n: 1 },
    ],
    ["keeps what was right and optional", object({ n: { type: "integer" } }, []), { n: 4 }, { n: 4 }],
    [
      "leaves out what is long",
      object({ content: { type: "string" } }),
      { content: "x".repeat(500) },
      { content: "the content" },
    ],
    [
      "takes the schema's own example",
      object({ a: { type: "string", examples: ["fn*init"] } }),
      {},
      { a: "fn*init" },
    ],
    ["takes an enum's first", object({ a: { enum: ["x", "y"] } }), {}, { a: "x" }],
    ["takes a default", object({ a: { type: "integer", default: 7 } }), {}, { a: 7 }],
    ["takes the minimum", object({ a: { type: "integer", minimum: 3 } }), {}, { a: 3 }],
    [
      "takes a union's first branch",
      object({ a: { anyOf: [{ type: "boolean" }, { type: "string" }] } }),
      {},
      { a: true },
    ],
    [
      "fills arrays and objects",
      object({ a: { type: "array", items: object({ path: { type: "string" } }) } }),
      {},
      { a: [{ path: "src/main.ts" }] },
    ],
    [
      "knows commands and patterns",
      object({ command: { type: "string" }, pattern: { type: "string" } }),
      {},
      { command: "npm test", pattern: "TODO" },
    ],
    [
      "writes null for null, text for anything",
      object({ a: { type: "null" }, b: {} }),
      {},
      { a: null, b: "the b" },
    ],
  ])("%s", (_title, schema, given, example) => {
    expect(exampleArguments(schema, given)).toEqual(example);
    expect(validate(example, parametersSchema(schema))).toEqual([]);
  });
});

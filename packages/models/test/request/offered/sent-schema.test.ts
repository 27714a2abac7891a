/** What is sent of a schema: what shapes a value, in a finite form that servers take. */
import type { ParametersSchema } from "@localharness/engine";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { type SchemaForm, sentSchema } from "../../../src/request/offered/sent-schema.ts";

function sent(document: JsonObject, form: SchemaForm = "shaped"): JsonObject {
  return sentSchema({ type: "object", properties: {}, ...document } as unknown as ParametersSchema, form);
}

/** Returns what is sent for one parameter. */
function part(schema: JsonObject, form: SchemaForm = "shaped", more: JsonObject = {}): JsonValue | undefined {
  const { properties } = sent({ ...more, properties: { v: schema } }, form);
  return isJsonObject(properties) ? properties["v"] : undefined;
}

const text: JsonObject = { type: "string" };
const pair = (schema: JsonObject): JsonObject => ({
  type: "object",
  properties: { left: schema, right: schema },
});

describe("one parameter, shaped and in the plainest form", () => {
  test.each<[string, JsonObject, JsonObject, JsonObject?]>([
    ["limits of a text", { type: "string", minLength: 1, maxLength: 70_000, pattern: "^[a-f]+$" }, text],
    [
      "limits of a number",
      { type: "integer", minimum: 0, exclusiveMaximum: 9, multipleOf: 3 },
      { type: "integer" },
    ],
    [
      "limits of a list",
      { type: "array", items: text, minItems: 1, maxItems: 900, uniqueItems: true },
      { type: "array", items: text },
    ],
    ["limits of an object", { ...pair(text), maxProperties: 4, propertyNames: { maxLength: 3 } }, pair(text)],
    ["what it must not be", { type: "string", not: { enum: ["x"] } }, text],
    [
      "conditions",
      {
        ...pair(text),
        if: { required: ["left"] },
        else: { required: ["right"] },
        dependentRequired: { left: ["right"] },
      },
      pair(text),
    ],
    ["annotations", { type: "string", title: "V", examples: ["a"], deprecated: true, $comment: "c" }, text],
    [
      "a format goes into the description",
      { type: "string", format: "date-time" },
      { type: "string", description: "format date-time" },
    ],
    ["a default", { type: "string", default: "a" }, { type: "string", default: "a" }, text],
    ["a default that is a list", { type: "array", items: text, default: [] }, { type: "array", items: text }],
    ["a text or null", { type: ["string", "null"] }, text],
    ["null or a text", { anyOf: [{ type: "null" }, { type: "string", maxLength: 3 }] }, text],
    ["several types", { type: ["string", "integer"] }, { anyOf: [text, { type: "integer" }] }, text],
    ["integers are numbers", { type: ["integer", "number"] }, { type: "number" }],
    [
      "a list or a text",
      { description: "d", oneOf: [{ type: "array", items: text }, text] },
      { description: "d", anyOf: [{ type: "array", items: text }, text] },
      { type: "string", description: "d" },
    ],
    ["branches that only restrict", { type: "string", anyOf: [{ pattern: "^a" }, { pattern: "^b" }] }, text],
    [
      "branches that are the same without their limits",
      {
        anyOf: [
          { type: "string", maxLength: 1 },
          { type: "string", maxLength: 2 },
        ],
      },
      text,
    ],
    [
      "constants",
      { oneOf: [{ const: "up" }, { const: "down", title: "Down" }] },
      { type: "string", enum: ["up", "down"] },
    ],
    ["one constant", { const: 7 }, { type: "number", enum: [7] }, { type: "number" }],
    ["options with null", { enum: ["a", null] }, { type: "string", enum: ["a"] }],
    ["types of other languages", { type: "list", items: { type: "str" } }, { type: "array", items: text }],
    ["an integer of another language", { type: "uint32" }, { type: "integer" }],
    [
      "an unknown type",
      { type: "any", description: "d" },
      { description: "d" },
      { type: "string", description: "d" },
    ],
    ["any value", {}, {}, text],
    ["a list of anything", { type: "array" }, { type: "array", items: {} }, { type: "array", items: text }],
    [
      "a list with places",
      { type: "array", prefixItems: [text, { type: "number" }] },
      { type: "array", items: { anyOf: [text, { type: "number" }] } },
      { type: "array", items: text },
    ],
    ["an older list with places", { type: "array", items: [text, text] }, { type: "array", items: text }],
    [
      "a map",
      { type: "object", additionalProperties: text },
      { type: "object", additionalProperties: text },
      { type: "object" },
    ],
    ["an open object", { type: "object", properties: {}, additionalProperties: true }, { type: "object" }],
    ["a closed object", { ...pair(text), additionalProperties: false }, pair(text)],
    [
      "a forbidden key",
      { type: "object", properties: { a: text, b: false } },
      { type: "object", properties: { a: text } },
    ],
    [
      "demands of keys that are not there",
      { ...pair(text), required: ["left", "up", "left"] },
      { ...pair(text), required: ["left"] },
    ],
    [
      "a type that follows",
      { properties: { a: {} } },
      { type: "object", properties: { a: {} } },
      { type: "object", properties: { a: text } },
    ],
  ])("%s", (_what, schema, shaped, plainest = shaped) => {
    expect(part(schema)).toEqual(shaped);
    expect(part(schema, "plainest")).toEqual(plainest);
  });
});

describe("references", () => {
  const named = (definition: JsonObject): JsonObject => ({
    $defs: { Part: definition, "a/b": text },
    definitions: { Old: text },
  });
  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    ["are written out", { $ref: "#/$defs/Part" }, pair(text), pair(text)],
    [
      "keep what is beside them",
      { $ref: "#/definitions/Old", description: "d" },
      {},
      { type: "string", description: "d" },
    ],
    ["have escapes", { $ref: "#/$defs/a~1b" }, {}, text],
    ["lead nowhere", { $ref: "#/$defs/Gone" }, {}, {}],
    ["lead outside", { $ref: "https://example.com/schema.json" }, {}, {}],
    [
      "are cut where they repeat",
      { $ref: "#/$defs/Part" },
      pair({ $ref: "#/$defs/Part" }),
      pair({ type: "object" }),
    ],
    [
      "of a union in itself",
      { $ref: "#/$defs/Part" },
      { anyOf: [text, { type: "array", items: { $ref: "#/$defs/Part" } }] },
      { anyOf: [text, { type: "array", items: {} }] },
    ],
    [
      "in two branches",
      { anyOf: [{ $ref: "#/$defs/Part" }, { type: "array", items: { $ref: "#/$defs/Part" } }] },
      pair(text),
      { anyOf: [pair(text), { type: "array", items: pair(text) }] },
    ],
    ["to themselves", { $ref: "#/$defs/Part" }, { $ref: "#/$defs/Part" }, {}],
    [
      "in allOf",
      { allOf: [{ $ref: "#/$defs/Part" }, { properties: { top: text }, required: ["top"] }] },
      { ...pair(text), required: ["left"] },
      { type: "object", properties: { left: text, right: text, top: text }, required: ["left", "top"] },
    ],
  ])("%s", (_what, schema, definition, expected) => {
    expect(part(schema, "shaped", named(definition))).toEqual(expected);
  });

  test("that would grow without end stay small", () => {
    const wide = {
      type: "object",
      properties: Object.fromEntries([..."abcdefgh"].map((key) => [key, { $ref: "#/$defs/Next" }])),
    };
    const defs = Object.fromEntries(
      [..."0123456789"].map((digit) => [
        `N${digit}`,
        JSON.parse(JSON.stringify(wide).replaceAll("Next", `N${Number(digit) + 1}`)) as JsonObject,
      ]),
    );
    expect(JSON.stringify(part({ $ref: "#/$defs/N0" }, "shaped", { $defs: defs })).length).toBeLessThan(
      200_000,
    );
  });
});

describe("the whole", () => {
  test("a union at the top becomes one object", () => {
    const document = {
      properties: { a: text },
      required: ["a"],
      oneOf: [
        { properties: { kind: { const: "x" }, b: text }, required: ["kind"] },
        { properties: { kind: { const: "y" }, c: text }, required: ["kind"] },
      ],
    };
    expect(sent(document)).toEqual({
      type: "object",
      properties: { a: text, kind: { type: "string", enum: ["x", "y"] }, b: text, c: text },
      required: ["a"],
    });
  });

  test("a parameter that may be null is not demanded", () => {
    const properties = {
      a: { type: ["string", "null"] },
      b: { anyOf: [text, { type: "null" }] },
      c: { ...text, nullable: true },
      d: text,
    };
    expect(sent({ properties, required: ["a", "b", "c", "d"] })["required"]).toEqual(["d"]);
  });

  test("without parameters; a long description in the plainest form", () => {
    expect(sent({})).toEqual({ type: "object", properties: {} });
    expect(part({ type: "string", description: "x".repeat(3_000) }, "plainest")).toMatchObject({
      description: `${"x".repeat(999)}…`,
    });
  });

  test("the schema itself does not change", () => {
    const schema = {
      type: "object",
      properties: { v: { type: ["string", "null"], maxLength: 3 } },
      required: ["v"],
    } as const;
    const before = JSON.stringify(schema);
    sentSchema(schema as unknown as ParametersSchema, "plainest");
    expect(JSON.stringify(schema)).toBe(before);
  });
});

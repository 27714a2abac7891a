/** A correct example of a call, made from a schema: what a corrective result shows the model. */
import type { JsonObject, JsonValue } from "@localharness/protocol";
import type { JsonSchema, ParametersSchema } from "../json-schema.ts";
import { typesOf } from "./coerce.ts";

/** Every required parameter, and what was already right in `given`. */
export function exampleArguments(schema: ParametersSchema, given: JsonObject = {}): JsonObject {
  const example: JsonObject = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const kept = Object.hasOwn(given, name) ? given[name] : undefined;
    if (kept !== undefined && JSON.stringify(kept).length <= 120) example[name] = kept;
    else if (schema.required?.includes(name)) example[name] = exampleValue(name, property);
  }
  return example;
}

function exampleValue(name: string, schema: JsonSchema): JsonValue {
  const stated = schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0];
  if (stated !== undefined) return stated;
  const branch = (schema.anyOf ?? schema.oneOf)?.[0];
  if (branch !== undefined) return exampleValue(name, branch);
  const type = typesOf(schema)[0] ?? "string";
  switch (type) {
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return true;
    case "array":
      return [exampleValue(name, schema.items ?? { type: "string" })];
    case "object":
      return exampleArguments({ ...schema, type: "object", properties: schema.properties ?? {} });
    case "null":
      return null;
    case "string":
      return exampleText(name);
  }
}

function exampleText(name: string): string {
  if (/path|file/i.test(name)) return "src/main.ts";
  if (/pattern|query/i.test(name)) return "TODO";
  if (/command|cmd/i.test(name)) return "npm test";
  return `the ${name.replaceAll("_", " ")}`;
}

/** Creates an example of a correct call from a tool's schema, for the error message about invalid arguments. */
import type { JsonObject, JsonValue } from "@localharness/protocol";
import { parametersSchema, typesOf } from "@localharness/schema";
import type { ParametersSchema, ValueSchema } from "../json-schema.ts";

/** Returns arguments with every required parameter. Keeps the values of `given` that have at most 120 characters. */
export function exampleArguments(schema: ParametersSchema, given: JsonObject = {}): JsonObject {
  const example: JsonObject = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const kept = Object.hasOwn(given, name) ? given[name] : undefined;
    if (kept !== undefined && JSON.stringify(kept).length <= 120) example[name] = kept;
    else if (schema.required?.includes(name)) example[name] = exampleValue(name, property);
  }
  return example;
}

function exampleValue(name: string, schema: ValueSchema): JsonValue {
  const stated = schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0];
  if (stated !== undefined) return stated;
  const branch = (schema.anyOf ?? schema.oneOf)?.[0];
  if (branch !== undefined) return exampleValue(name, branch);
  const [type = "string"] = typesOf(parametersSchema(schema));
  if (type === "integer" || type === "number") return schema.minimum ?? 1;
  if (type === "boolean") return true;
  if (type === "null") return null;
  if (type === "array") return [exampleValue(name, schema.items ?? { type: "string" })];
  if (type === "string") return exampleText(name);
  return exampleArguments({ ...schema, type: "object", properties: schema.properties ?? {} });
}

function exampleText(name: string): string {
  if (/path|file/i.test(name)) return "src/main.ts";
  if (/pattern|query/i.test(name)) return "TODO";
  if (/command|cmd/i.test(name)) return "npm test";
  return `the ${name.replaceAll("_", " ")}`;
}

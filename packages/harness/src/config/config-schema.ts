/** Derives the JSON Schema of config.json from the table of settings. Editors check and complete the file with it. */
import type { JsonObject } from "@localharness/protocol";
import { defaultOf, type Field, fields } from "./fields.ts";

export function configSchema(): JsonObject {
  const properties: JsonObject = { $schema: { type: "string" } };
  const groups: Record<string, JsonObject> = {};
  for (const field of fields) {
    const [outer = "", inner] = field.key.split(".");
    if (inner === undefined) properties[outer] = schemaOf(field);
    else groups[outer] = { ...groups[outer], [inner]: schemaOf(field) };
  }
  for (const [name, inner] of Object.entries(groups)) properties[name] = closed(inner);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "config.json of Local Harness",
    ...closed(properties),
  };
}

function closed(properties: JsonObject): JsonObject {
  return { type: "object", properties, additionalProperties: false };
}

function schemaOf(field: Field): JsonObject {
  const value = defaultOf(field);
  return { description: field.about, ...field.schema, ...(value === undefined ? {} : { default: value }) };
}

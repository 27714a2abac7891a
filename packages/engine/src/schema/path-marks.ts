/** Removes the format `path` from schemas. This format marks paths for the harness, and models need not read it. */
import type { ParametersSchema, ValueSchema } from "../json-schema.ts";

/**
 * Returns the schema without the format `path` in it and in its `properties`, `items`, `anyOf` and `oneOf`; the same object
 * if none of them has this format.
 */
export function withoutPathMarks(parameters: ParametersSchema): ParametersSchema {
  return strip(parameters) as ParametersSchema;
}

function strip(schema: ValueSchema): ValueSchema {
  const changed: { -readonly [Key in keyof ValueSchema]: ValueSchema[Key] } = {};
  if (schema.properties !== undefined) {
    const entries = Object.entries(schema.properties);
    const stripped = entries.map(([name, property]) => [name, strip(property)] as const);
    if (stripped.some(([, property], index) => property !== entries[index]?.[1])) {
      changed.properties = Object.fromEntries(stripped);
    }
  }
  if (schema.items !== undefined && strip(schema.items) !== schema.items) changed.items = strip(schema.items);
  for (const key of ["anyOf", "oneOf"] as const) {
    const branches = schema[key];
    const stripped = branches?.map(strip);
    if (stripped?.some((branch, index) => branch !== branches?.[index])) changed[key] = stripped;
  }
  if (schema.format !== "path") return Object.keys(changed).length === 0 ? schema : { ...schema, ...changed };
  const { format: _mark, ...rest } = schema;
  return { ...rest, ...changed };
}

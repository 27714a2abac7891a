/** Makes tool parameters from a schema of zod, or of any other library with Standard JSON Schema. */
import { HarnessError } from "../harness-error.ts";
import type { ParametersSchema, ValueSchema } from "../json-schema.ts";

/** A schema with Standard JSON Schema. The engine depends on no schema library. */
export interface StandardJsonSchema {
  readonly "~standard": {
    readonly jsonSchema: { input(options: { target: "draft-07" }): Record<string, unknown> };
  };
}

/** Returns the parameters. Throws `schema-invalid` if the schema does not describe an object with properties. */
export function parametersFromStandard(schema: StandardJsonSchema): ParametersSchema {
  const plain = simplify(schema["~standard"].jsonSchema.input({ target: "draft-07" }) as ValueSchema);
  if (plain.type !== "object" || plain.properties === undefined) {
    throw new HarnessError(
      "schema-invalid",
      `a tool's parameters must be an object schema, not ${JSON.stringify(plain.type)}`,
    );
  }
  return { ...plain, type: "object", properties: plain.properties };
}

/** Removes parts that small models need not read: `$schema`, `additionalProperties: false`, the limits of safe integers. */
function simplify(schema: ValueSchema): ValueSchema {
  const kept = Object.entries(schema).filter(([key, value]) => !isNoise(key, value));
  const result: Record<string, unknown> = Object.fromEntries(kept);
  if (schema.properties !== undefined) {
    result["properties"] = Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, simplify(property)]),
    );
  }
  if (schema.items !== undefined) result["items"] = simplify(schema.items);
  if (schema.anyOf !== undefined) result["anyOf"] = schema.anyOf.map(simplify);
  if (schema.oneOf !== undefined) result["oneOf"] = schema.oneOf.map(simplify);
  return result as ValueSchema;
}

function isNoise(key: string, value: unknown): boolean {
  if (key === "$schema") return true;
  if (key === "additionalProperties") return value === false;
  return (key === "minimum" || key === "maximum") && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
}

/** Placeholder arguments that are right for a schema, for examples. */
import {
  branches,
  itemSchema,
  parametersSchema,
  propertyNames,
  propertySchema,
  requiredNames,
  type Schema,
  type TypeName,
  typesOf,
} from "../schema/read-schema.ts";
import type { JsonValue, ToolSchema } from "../types.ts";

/** What the tool requires, or its first parameter when it requires none. */
export function exampleArguments(tool: ToolSchema): { [key: string]: JsonValue } {
  return exampleObject(parametersSchema(tool.parameters), 0);
}

function exampleObject(schema: Schema, depth: number): { [key: string]: JsonValue } {
  const required = requiredNames(schema);
  const names = required.length > 0 || depth > 0 ? required : propertyNames(schema).slice(0, 1);
  return Object.fromEntries(
    names.map((name) => {
      const inner = propertySchema(schema, name);
      return [name, inner === undefined ? "..." : exampleValue(inner, depth + 1)];
    }),
  );
}

const order: readonly TypeName[] = ["string", "integer", "number", "boolean", "array", "object", "null"];

function exampleValue(schema: Schema, depth: number): JsonValue {
  const given = givenValue(schema);
  if (given !== undefined || depth > 6) return given ?? null;
  const branch = branches(schema)[0];
  const types = typesOf(schema);
  if (branch !== undefined && types.size === 0) return exampleValue(branch, depth + 1);
  switch (order.find((type) => types.has(type)) ?? "string") {
    case "string":
      return "...";
    case "integer":
    case "number": {
      const minimum = schema.node["minimum"];
      return typeof minimum === "number" ? Math.ceil(minimum) : 1;
    }
    case "boolean":
      return true;
    case "array": {
      const item = itemSchema(schema, 0);
      return item === undefined ? [] : [exampleValue(item, depth + 1)];
    }
    case "object":
      return exampleObject(schema, depth);
    case "null":
      return null;
  }
}

/** The value that the schema itself names. */
function givenValue({ node }: Schema): JsonValue | undefined {
  const { const: only, enum: options, examples } = node;
  const values = [
    only,
    ...(Array.isArray(options) ? options : []),
    ...(Array.isArray(examples) ? examples : []),
  ];
  return values.find((value) => value !== undefined) as JsonValue | undefined;
}

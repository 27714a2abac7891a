/** Invents arguments that fit a tool's schema, for an example of a call. */
import {
  branches,
  itemSchema,
  parametersSchema,
  propertyNames,
  propertySchema,
  requiredNames,
  type Schema,
  typesOf,
} from "@localharness/schema";
import { setOwn } from "../json/result.ts";
import type { JsonObject, JsonValue, ToolSchema } from "../types.ts";

/** Returns the required arguments, or the first argument if none is required. */
export function exampleArguments(tool: ToolSchema): JsonObject {
  return exampleObject(parametersSchema(tool.parameters), 0, true);
}

function exampleObject(schema: Schema, depth: number, atLeastOne: boolean): JsonObject {
  const required = requiredNames(schema);
  const names = required.length > 0 || !atLeastOne ? required : propertyNames(schema).slice(0, 1);
  const object: JsonObject = {};
  for (const name of names) {
    const inner = propertySchema(schema, name);
    setOwn(object, name, inner ? exampleValue(inner, name, depth + 1) : "text");
  }
  return object;
}

function exampleValue(schema: Schema, name: string, depth: number): JsonValue {
  const { node } = schema;
  for (const given of [node["const"], firstOf(node["enum"]), firstOf(node["examples"]), node["default"]]) {
    if (given !== undefined && given !== null) return given as JsonValue;
  }
  const types = typesOf(schema);
  if (types.has("string") || types.size === 0 || depth > 5) return name.replaceAll("_", " ");
  if (types.has("integer")) return typeof node["minimum"] === "number" ? node["minimum"] : 1;
  if (types.has("number")) return typeof node["minimum"] === "number" ? node["minimum"] : 1.5;
  if (types.has("boolean")) return true;
  if (types.has("array")) {
    const item = itemSchema(schema, 0);
    return item ? [exampleValue(item, name, depth + 1)] : [];
  }
  if (types.has("object")) return exampleObject(branches(schema)[0] ?? schema, depth, false);
  return null;
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

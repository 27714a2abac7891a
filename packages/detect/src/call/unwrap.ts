/** Unwraps arguments that contain a whole call, or all arguments under one key. */
import { isObject, parametersSchema, propertyNames, propertySchema } from "@localharness/schema";
import { parseInner } from "../json/read-json.ts";
import { noteRepair } from "../json/result.ts";
import type { JsonObject, JsonValue, Repair, ToolSchema } from "../types.ts";
import { keyRole } from "./call-keys.ts";
import type { ToolIndex } from "./tool-index.ts";

type Arguments = { readonly [key: string]: JsonValue };

/** Returns the tool that the arguments name, if they are a whole call themselves: `{"name": ..., "arguments": {...}}`. */
export function innerTool(args: JsonValue | undefined, tools: ToolIndex): ToolSchema | undefined {
  const parts = isObject(args) ? partsOf(args as Arguments) : undefined;
  return parts?.name === undefined ? undefined : tools.resolve(parts.name)?.tool;
}

/**
 * Returns the inner arguments of a call object, if it names this tool, or if it has no name and the tool has parameters.
 * Returns `args` itself otherwise, or if one of its keys is a parameter of the tool.
 */
export function unwrapArguments(
  args: JsonObject,
  tool: ToolSchema,
  tools: ToolIndex,
  repairs: Repair[],
): JsonObject {
  const parts = partsOf(args);
  const schema = parametersSchema(tool.parameters);
  if (!parts || Object.keys(args).some((key) => propertySchema(schema, key) !== undefined)) return args;
  const isCall = parts.name !== undefined && tools.resolve(parts.name)?.tool === tool;
  const isWrapped = parts.name === undefined && propertyNames(schema).length > 0;
  if (!isCall && !isWrapped) return args;
  noteRepair(repairs, "argument-key");
  return parts.inner;
}

/** Returns true if the key may hold all arguments in place of the object of arguments. */
export function isWrapperKey(key: string): boolean {
  return key === "properties" || keyRole(key) === "arguments";
}

/** Returns true for a call that cannot be read: `{"name": "x", "arguments": ...}`, where the arguments are not an object. */
export function isBrokenCall(args: Arguments, tool: ToolSchema): boolean {
  const schema = parametersSchema(tool.parameters);
  const roles = Object.keys(args).map((key) => (propertySchema(schema, key) ? undefined : keyRole(key)));
  return roles.length === 2 && roles.includes("name") && roles.includes("arguments") && !partsOf(args);
}

/** Returns name and arguments of a call that is JSON in a text; undefined for any other text. */
export function callIn(text: string, repairs: Repair[]): { name: string; inner: JsonObject } | undefined {
  const object = parseInner(text, repairs);
  const parts = isObject(object) ? partsOf(object as Arguments) : undefined;
  return parts?.name === undefined ? undefined : { name: parts.name, inner: parts.inner };
}

/** Returns name and arguments of a call object, which may also have an id; undefined for other keys or no arguments. */
function partsOf(args: Arguments): { name?: string; inner: JsonObject } | undefined {
  let name: string | undefined;
  let inner: JsonObject | undefined;
  for (const [key, value] of Object.entries(args)) {
    const role = keyRole(key);
    const object = !inner && isWrapperKey(key) ? innerObject(value) : undefined;
    if (role === "name" && typeof value === "string" && name === undefined) name = value;
    else if (object && !(key === "properties" && isDefinition(object))) inner = object;
    else if ((role !== "id" && key !== "type") || typeof value !== "string") return undefined;
  }
  return inner && (name === undefined ? { inner } : { name, inner });
}

/** Returns the object, also from JSON in a text; undefined for any other value. */
function innerObject(value: JsonValue): JsonObject | undefined {
  const object = typeof value === "string" && value.trim().startsWith("{") ? parseInner(value, []) : value;
  return isObject(object) ? (object as JsonObject) : undefined;
}

/** Returns true if the values are schemas of arguments, so that the object defines a tool. */
function isDefinition(properties: JsonObject): boolean {
  const values = Object.values(properties);
  return values.some((value) => isObject(value) && typeof value["type"] === "string");
}

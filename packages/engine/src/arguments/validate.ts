/** Checks the arguments of a call against the tool's schema: matches names and converts types, or explains the problems. */
import type { JsonObject } from "@localharness/protocol";
import {
  argumentKeys,
  type Change,
  coerce,
  meantNames,
  parametersSchema,
  propertySchema,
  requiredNames,
  type Schema,
  typesOf,
  validate,
} from "@localharness/schema";
import type { Tool } from "../tool.ts";
import { exampleArguments } from "./example.ts";
import { nearestName } from "./names.ts";
import { type ReadArguments, readArguments } from "./read.ts";

export type ValidatedInput =
  | { readonly ok: true; readonly arguments: JsonObject; readonly notes: readonly string[] }
  | { readonly ok: false; readonly message: string };

/**
 * Returns the arguments with the names and types of the schema, and notes about the changes; else a message about the
 * problems. `raw` comes from the model. The message names the parameter, its value, the expected value, and an example.
 */
export function validateInput(tool: Tool, raw: string | JsonObject | null | undefined): ValidatedInput {
  const schema = strictSchema(tool);
  const read = readArguments(raw);
  const inner = read.ok ? unwrap(tool, schema, read) : read;
  if (!inner.ok) return { ok: false, message: explain(tool, [inner.message], {}) };
  const { value, changes } = coerce(inner.value, schema, "", { aliases: tool.parameterAliases ?? {} });
  const nulls = missingNulls(value as JsonObject, schema);
  const args = { ...(value as JsonObject), ...nulls };
  const problems = validate(args, schema, "", tool.parameterAliases);
  if (problems.length > 0) return { ok: false, message: explain(tool, problems, args) };
  const notes = [...inner.notes, ...changes.flatMap((change) => inWords(tool, change))];
  for (const name of Object.keys(nulls)) notes.push(`took null for the missing "${name}"`);
  // The arguments are sorted as in the schema, so that equal calls look equal.
  const names = [...Object.keys(tool.parameters.properties), ...Object.keys(args)];
  const given = names.filter((name) => Object.hasOwn(args, name)).map((name) => [name, args[name] ?? null]);
  return { ok: true, arguments: Object.fromEntries(given), notes };
}

/**
 * Returns null for each required parameter that is missing and may be null. Models see such a parameter as an optional one,
 * because many servers take only one type.
 */
function missingNulls(args: JsonObject, schema: Schema): JsonObject {
  const missing = requiredNames(schema).filter((name) => {
    const inner = Object.hasOwn(args, name) ? undefined : propertySchema(schema, name);
    return inner !== undefined && typesOf(inner).has("null") && inner.node["default"] === undefined;
  });
  return Object.fromEntries(missing.map((name) => [name, null]));
}

const noPrototype = { "^__proto__$": false };

/** Returns the tool's schema, which forbids `__proto__`, and undeclared arguments unless the tool allows them. */
function strictSchema({ parameters }: Tool): Schema {
  const patternProperties = { ...parameters.patternProperties, ...noPrototype };
  return parametersSchema({ additionalProperties: false, ...parameters, patternProperties });
}

/** Unwraps arguments under one key such as `arguments` or `params`, unless the key is or means a parameter of the tool. */
function unwrap(tool: Tool, schema: Schema, read: ReadArguments & { ok: true }): ReadArguments {
  const [only, ...others] = Object.keys(read.value);
  if (only === undefined || others.length > 0 || !argumentKeys.includes(only)) return read;
  const isParameter = propertySchema(schema, only) !== undefined;
  if (isParameter || meantNames(read.value, schema, tool.parameterAliases).names.has(only)) return read;
  const inner = readArguments(read.value[only] as string | JsonObject);
  if (inner.ok) return { ...inner, notes: [...read.notes, ...inner.notes] };
  return inner.sound ? read : inner;
}

function inWords(tool: Tool, { kind, path, key = "", note }: Change): string[] {
  if (note === undefined) return [];
  return [kind === "dropped" && path === "" ? unknownKey(tool, key) : note];
}

function unknownKey(tool: Tool, key: string): string {
  const names = Object.keys(tool.parameters.properties);
  const near = nearestName(key, names);
  const hint = near === undefined ? "" : `; did you mean "${near}"?`;
  const note = `unknown parameter ${JSON.stringify(key.slice(0, 80))} was ignored`;
  return names.length === 0 ? `${note}: ${tool.name} takes none` : `${note}${hint}`;
}

/** Returns a message with the problems and an example of a correct call, which keeps the valid arguments. */
function explain(tool: Tool, problems: readonly string[], given: JsonObject): string {
  const schema = parametersSchema(tool.parameters);
  const right = Object.entries(given).filter(([name, value]) => {
    const inner = propertySchema(schema, name);
    return inner !== undefined && validate(value, inner).length === 0;
  });
  const example = JSON.stringify(exampleArguments(tool.parameters, Object.fromEntries(right)));
  return `${tool.name}: ${problems.join("; ")}. A correct call has the arguments ${example}`;
}

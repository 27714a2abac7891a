/** One call's arguments against one tool: names matched, values typed, or a message that the model can act on. */
import type { JsonObject, JsonValue } from "@localharness/protocol";
import { canonicalJson } from "../guards/repeats.ts";
import type { JsonSchema } from "../json-schema.ts";
import type { Tool } from "../tool.ts";
import { coerceValue, expectation, isNullForNothing } from "./coerce.ts";
import { exampleArguments } from "./example.ts";
import { foldName, nearestName } from "./names.ts";
import { describe, type ReadArguments, readArguments } from "./read.ts";

export type ValidatedInput =
  | { readonly ok: true; readonly arguments: JsonObject; readonly notes: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** `raw` is what the model sent. The message of a failure names the parameter, what came, what is expected, an example. */
export function validateInput(tool: Tool, raw: string | JsonObject | null | undefined): ValidatedInput {
  const read = readArguments(raw);
  if (!read.ok) return { ok: false, message: explain(tool, [read.message], {}) };
  const inner = unwrap(tool, read.value);
  if (!inner.ok) return { ok: false, message: explain(tool, [inner.message], {}) };
  const { named, extra, notes, problems } = matchNames(tool, inner.value);
  const typed: JsonObject = { ...extra };
  const allNotes = [...read.notes, ...notes];
  for (const [name, schema] of Object.entries(tool.parameters.properties)) {
    const given = Object.hasOwn(named, name) ? named[name] : undefined;
    const required = tool.parameters.required?.includes(name) ?? false;
    if (given === undefined || (!required && isNullForNothing(given, schema))) {
      if (required) problems.push(missing(name, schema));
      continue;
    }
    const coerced = coerceValue(given, schema, name);
    if (!coerced.ok) {
      problems.push(coerced.problem);
      continue;
    }
    typed[name] = coerced.value;
    for (const note of coerced.notes) allNotes.push(note);
  }
  if (problems.length > 0) return { ok: false, message: explain(tool, problems, typed) };
  return { ok: true, arguments: typed, notes: allNotes };
}

interface Named {
  readonly named: JsonObject;
  /** What the schema lets pass although it does not describe it. */
  readonly extra: JsonObject;
  readonly notes: string[];
  readonly problems: string[];
}

/** Parameters under their own names; what belongs to none is reported and left out. */
function matchNames(tool: Tool, value: JsonObject): Named {
  const known = parameterNames(tool);
  const open = tool.parameters.additionalProperties ?? false;
  const result: Named = { named: {}, extra: {}, notes: [], problems: [] };
  const spellings = new Map<string, string>();
  const rest: [string, JsonValue][] = [];
  for (const [key, given] of Object.entries(value)) {
    if (Object.hasOwn(tool.parameters.properties, key)) {
      result.named[key] = given;
      spellings.set(key, key);
    } else rest.push([key, given]);
  }
  for (const [key, given] of rest) {
    const name = known.get(foldName(key));
    const earlier = name === undefined ? undefined : spellings.get(name);
    if (name !== undefined && (earlier === undefined || result.named[name] === null)) {
      result.named[name] = given;
      spellings.set(name, key);
    } else if (name !== undefined && earlier !== undefined && differs(result.named[name], given))
      result.problems.push(twoSpellings(name, earlier, result.named[name], key, given));
    else if (open !== false && key !== "__proto__") result.extra[key] = given;
    else result.notes.push(unknownKey(tool, key));
  }
  return result;
}

/** Null is what models write for "not given". */
function differs(one: JsonValue | undefined, other: JsonValue): boolean {
  return other !== null && canonicalJson(one ?? null) !== canonicalJson(other);
}

/** Which of two was meant cannot be known, and what was checked must be what runs. */
function twoSpellings(
  name: string,
  one: string,
  value: JsonValue | undefined,
  other: string,
  otherValue: JsonValue,
): string {
  const [first, second] = [one, other].map((key) => JSON.stringify(key.slice(0, 80)));
  return `${first} (${describe(value)}) and ${second} (${describe(otherValue)}) are both the parameter "${name}", with different values: give it once, as "${name}"`;
}

function unknownKey(tool: Tool, key: string): string {
  const names = Object.keys(tool.parameters.properties);
  const near = nearestName(key, names);
  const shown = JSON.stringify(key.slice(0, 80));
  if (names.length === 0) return `unknown parameter ${shown} was ignored: ${tool.name} takes none`;
  return `unknown parameter ${shown} was ignored${near === undefined ? "" : `; did you mean "${near}"?`}`;
}

function parameterNames(tool: Tool): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, aliases] of Object.entries(tool.parameterAliases ?? {})) {
    for (const alias of aliases) names.set(foldName(alias), name);
  }
  for (const name of Object.keys(tool.parameters.properties)) names.set(foldName(name), name);
  return names;
}

/** `{"arguments": {...}}` around the arguments, as some models write it, unless the tool has such a parameter. */
function unwrap(tool: Tool, value: JsonObject): ReadArguments {
  const asItIs: ReadArguments = { ok: true, value, notes: [] };
  const keys = Object.keys(value);
  const only = keys.length === 1 ? keys[0] : undefined;
  if (only === undefined || !["arguments", "parameters", "args", "input"].includes(only)) return asItIs;
  if (parameterNames(tool).has(foldName(only))) return asItIs;
  const inner = readArguments(value[only] as string | JsonObject);
  return inner.ok || !inner.sound ? inner : asItIs;
}

function missing(name: string, schema: JsonSchema): string {
  const about = schema.description === undefined ? "" : ` (${schema.description})`;
  return `parameter "${name}" is missing; expected ${expectation(schema)}${about}`;
}

function explain(tool: Tool, problems: readonly string[], given: JsonObject): string {
  const example = JSON.stringify(exampleArguments(tool.parameters, given));
  return `${tool.name}: ${problems.join("; ")}. A correct call has the arguments ${example}`;
}

/** Makes the description of a tool shorter, for a small context window. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import type { ParametersSchema } from "../json-schema.ts";
import type { Tool } from "../tool.ts";

const maxChars = 160;
/** The keywords of a schema that only explain. */
const prose: ReadonlySet<string> = new Set(["description", "title", "examples", "$comment", "default"]);
/** The keywords of a schema whose value is an object of schemas by name. */
const named: ReadonlySet<string> = new Set(["properties", "patternProperties", "$defs", "definitions"]);

/** Returns the tool with at most the first sentence of its description, and without the prose in its parameters. */
export function compactTool<T extends Pick<Tool, "description" | "parameters">>(tool: T): T {
  return {
    ...tool,
    description: firstSentence(tool.description),
    parameters: withoutProse(tool.parameters as unknown as JsonObject) as unknown as ParametersSchema,
  };
}

function firstSentence(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  const sentence = /^.*?[.!?](?= [A-Z]|$)/.exec(line)?.[0] ?? line;
  return sentence.length <= maxChars ? sentence : `${sentence.slice(0, maxChars - 3)}...`;
}

function withoutProse(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([key]) => !prose.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, named.has(key) ? eachIn(value) : inner(value)]));
}

/** Shortens each of the schemas by name. A name such as `title` is kept, because it is not a keyword here. */
function eachIn(value: JsonValue | undefined): JsonValue {
  if (!isJsonObject(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, inner(schema)]));
}

function inner(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return value.map(inner);
  return isJsonObject(value) ? withoutProse(value) : (value ?? null);
}

/**
 * Reads the tools that a server lists. The list is text of another program, so it is cleaned and its size is limited.
 */
import { createHash } from "node:crypto";
import type { ParametersSchema, ValueSchema } from "@localharness/engine";
import {
  countText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  reasonOf,
  visibleText,
} from "@localharness/protocol";
import { headerProblem } from "./mirrored-headers.ts";

export interface ListedTool {
  /** The name by which the server knows the tool. */
  readonly name: string;
  readonly description: string;
  readonly parameters: ParametersSchema;
  /** The schema as the server sent it, for the requests to this server. */
  readonly inputSchema: JsonObject;
  /** SHA-256 in hex of name, description and schema, as the server sent them. */
  readonly hash: string;
}

export interface ReadTools {
  readonly tools: readonly ListedTool[];
  /** A sentence about each tool that is left out, and one about all tools after the first 500. */
  readonly problems: readonly string[];
}

const maxDescriptionChars = 2_000;
const maxNameChars = 200;
const maxSchemaChars = 32_000;
const maxDepth = 24;
export const maxToolsOfServer = 500;

/**
 * Reads the first 500 of the listed tools. Leaves out a tool whose name or schema cannot be used, that has the name of an
 * earlier tool, or that runs only as a task; with `mirrors`, also a tool whose parameters cannot be mirrored into headers.
 */
export function readTools(listed: readonly JsonObject[], mirrors = false): ReadTools {
  const tools: ListedTool[] = [];
  const problems: string[] = [];
  for (const one of listed.slice(0, maxToolsOfServer)) {
    const read = readTool(one, mirrors);
    if (typeof read === "string") problems.push(read);
    else if (tools.every(({ name }) => name !== read.name)) tools.push(read);
    else problems.push(`it lists ${shown(read.name)} twice`);
  }
  if (listed.length > maxToolsOfServer) {
    problems.push(`it lists ${countText(listed.length, "tool")}, and the first ${maxToolsOfServer} are used`);
  }
  return { tools, problems };
}

function readTool(listed: JsonObject, mirrors: boolean): ListedTool | string {
  const { name, description = "", inputSchema } = listed;
  if (typeof name !== "string" || name === "" || name.length > maxNameChars) {
    return "a tool has no name, or one of more than 200 characters";
  }
  const text = JSON.stringify(inputSchema ?? null);
  if (text.length > maxSchemaChars) {
    return `${shown(name)} is left out: its schema has ${countText(text.length, "character")}, and at most ${maxSchemaChars} are read`;
  }
  if (isTaskOnly(listed)) {
    return `${shown(name)} is left out: the server runs it only as a task, and tasks are not supported`;
  }
  const problem = mirrors ? headerProblem(inputSchema) : undefined;
  if (problem !== undefined) return `${shown(name)} is left out: ${problem}`;
  try {
    const parameters = parametersOf(inputSchema);
    const hash = createHash("sha256").update(JSON.stringify([name, description, inputSchema ?? null]));
    const schema = isJsonObject(inputSchema) ? inputSchema : {};
    return {
      ...{ name, parameters, inputSchema: schema },
      description: cleaned(description),
      hash: hash.digest("hex"),
    };
  } catch (error) {
    return `${shown(name)} is left out: its schema is broken (${reasonOf(error)})`;
  }
}

function isTaskOnly({ execution }: JsonObject): boolean {
  return isJsonObject(execution) && execution["taskSupport"] === "required";
}

/**
 * Returns the cleaned schema, with a schema for each required property. Throws if it is not a usable schema of an
 * object.
 */
function parametersOf(schema: JsonValue | undefined): ParametersSchema {
  if (!isJsonObject(schema)) throw new Error("it is no object");
  const { type, properties = {}, required = [] } = schema;
  if (type !== undefined && type !== "object") throw new Error(`its type is ${JSON.stringify(type)}`);
  if (!isJsonObject(properties)) throw new Error('"properties" is no object');
  if (!Array.isArray(required) || !required.every((one) => typeof one === "string")) {
    throw new Error('"required" is no list of names');
  }
  const clean = cleanSchema(schema, 0) as JsonObject;
  const declared = isJsonObject(clean["properties"]) ? clean["properties"] : {};
  for (const [name, inner] of Object.entries(declared)) {
    if (!isJsonObject(inner) && typeof inner !== "boolean") throw new Error(`${shown(name)} has no schema`);
  }
  // A required parameter without a schema accepts any value.
  const missing = required.filter((name) => !Object.hasOwn(declared, name)).map((name) => [name, {}]);
  const all = Object.entries({ ...declared, ...Object.fromEntries(missing) });
  const read = all.map(([name, inner]) => [name, inner === true ? {} : inner] as const);
  return {
    additionalProperties: true,
    ...(clean as ValueSchema),
    type: "object",
    properties: Object.fromEntries(read) as Record<string, ValueSchema>,
  };
}

/** Returns the schema with cleaned descriptions and titles, without `$schema`. Throws if it is nested too deeply. */
function cleanSchema(value: JsonValue, depth: number): JsonValue {
  if (depth > maxDepth) throw new Error(`it is nested more than ${maxDepth} levels deep`);
  if (Array.isArray(value)) return value.map((one) => cleanSchema(one, depth + 1));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "$schema" && key !== "__proto__")
      .map(([key, inner]) => [
        key,
        key === "description" || key === "title" ? cleanedWords(inner, depth) : cleanSchema(inner, depth + 1),
      ]),
  );
}

/**
 * Cleans a description. If a parameter has the name `description`, the value is a schema, which is cleaned as a schema.
 */
function cleanedWords(value: JsonValue, depth: number): JsonValue {
  return typeof value === "string" ? cleaned(value) : cleanSchema(value, depth + 1);
}

/**
 * Returns text of a server for the model and the person; empty if the value is not text. Invisible characters are shown as
 * escapes. The text is cut after 2,000 UTF-16 units, with a note of how many are left out.
 */
export function cleaned(value: JsonValue | undefined): string {
  if (typeof value !== "string") return "";
  const text = visibleText(value.replaceAll("\r\n", "\n").replaceAll("\t", " ")).trim();
  if (text.length <= maxDescriptionChars) return text;
  const left = text.length - maxDescriptionChars;
  return `${text.slice(0, maxDescriptionChars).toWellFormed()} [... ${countText(left, "more character")}]`;
}

function shown(name: string): string {
  return JSON.stringify(visibleText(name).slice(0, 80));
}

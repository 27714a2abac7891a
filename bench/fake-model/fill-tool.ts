/** Finds the tool of a harness that reads or writes a file, and fills its schema by the names of the parameters. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";

export interface OfferedTool {
  readonly name: string;
  readonly schema: JsonValue | undefined;
}

/** The values of a call: the path, and the content for a write. */
export interface Wanted {
  readonly path: string;
  readonly content?: string;
}

const readers = ["read_file", "read", "view", "view_file", "read_files", "read_many_files", "open_file"];
const writers = ["write_file", "write", "create_file", "write_to_file", "editor"];
const shells = ["exec_command", "shell", "shell_command", "bash", "run_shell_command", "run_commands"];

/** Returns the call; undefined when the harness has no suitable tool. A shell reads files with `cat`. */
export function fillTool(
  tools: readonly OfferedTool[],
  wanted: Wanted,
): { name: string; arguments: JsonObject } | undefined {
  const tool = find(tools, wanted.content === undefined ? readers : writers);
  if (tool !== undefined) return { name: tool.name, arguments: fillObject(tool.schema, wanted) };
  const shell = wanted.content === undefined ? find(tools, shells) : undefined;
  if (shell === undefined) return undefined;
  return { name: shell.name, arguments: fillObject(shell.schema, wanted) };
}

function find(tools: readonly OfferedTool[], names: readonly string[]): OfferedTool | undefined {
  for (const name of names) {
    const tool = tools.find((offered) => offered.name.toLowerCase() === name);
    if (tool !== undefined) return tool;
  }
  return undefined;
}

function fillObject(schema: JsonValue | undefined, wanted: Wanted): JsonObject {
  if (!isJsonObject(schema)) return {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const filled: JsonObject = {};
  for (const [key, value] of Object.entries(properties)) {
    if (required.includes(key) || known(key, wanted) !== undefined) filled[key] = fill(value, key, wanted);
  }
  return filled;
}

function fill(schema: JsonValue, key: string, wanted: Wanted): JsonValue {
  if (!isJsonObject(schema)) return known(key, wanted) ?? "x";
  const type = Array.isArray(schema["type"]) ? schema["type"][0] : schema["type"];
  const variants = schema["anyOf"] ?? schema["oneOf"];
  if (type === undefined && Array.isArray(variants)) return fill(variants[0] ?? "x", key, wanted);
  if (Array.isArray(schema["enum"])) {
    return schema["enum"].includes("create") ? "create" : (schema["enum"][0] ?? "x");
  }
  const kind = String(type).toLowerCase();
  if (kind === "array") return [fill(schema["items"] ?? "x", key, wanted)];
  if (kind === "object") return fillObject(schema, wanted);
  if (kind === "boolean") return false;
  return known(key, wanted) ?? (kind === "number" || kind === "integer" ? 1 : "x");
}

function known(key: string, wanted: Wanted): string | undefined {
  const plain = key.toLowerCase().replaceAll("_", "");
  if (/^(absolute)?(file)?(path|paths|filepath|filename|file|files|absolutepath)$/.test(plain)) {
    return wanted.path;
  }
  if (/^(content|contents|text|newtext|filetext|newstr)$/.test(plain)) return wanted.content;
  if (/^(cmd|command|commands)$/.test(plain)) return `cat ${wanted.path}`;
  return undefined;
}

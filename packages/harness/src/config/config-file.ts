/**
 * Reads and checks config.json. Each problem names the line; that of a setting also its key, and for a wrong value what fits.
 */
import { readFile } from "node:fs/promises";
import { configError } from "@localharness/engine";
import { isJsonObject, type JsonObject, type JsonValue, reasonOf, suggestion } from "@localharness/protocol";
import { readJsonSource } from "@localharness/store/json-source";
import { type ConfigKey, type ConfigValues, type Field, fields } from "./fields.ts";

/** Returns the settings of the file; `{}` if there is no file. Rejects with a `HarnessError` that lists all problems. */
export async function readConfigFile(path: string): Promise<ConfigValues> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return {};
    const why = reasonOf(error);
    throw configError(`${path} cannot be read: ${why}`, error);
  }
  const checked = checkConfig(text);
  if (checked.problems.length === 0) return checked.values;
  throw configError(checked.problems.map((problem) => `${path}:${problem}`).join("\n"));
}

/** Checks the text of a configuration and returns its valid settings. Each problem begins with its line number. */
export function checkConfig(text: string): { values: ConfigValues; problems: string[] } {
  if (text.trim() === "") return { values: {}, problems: [] };
  const source = readJsonSource(text);
  if (!source.ok) return { values: {}, problems: [`${source.line}:${source.column}: ${source.message}`] };
  if (!isJsonObject(source.value)) {
    return { values: {}, problems: [`1: expected an object {...}, got ${kindOf(source.value)}`] };
  }
  const values: Record<string, JsonValue> = {};
  const problems: string[] = [];
  for (const [key, value] of flatten(source.value)) {
    const field = fields.find((row) => row.key === key);
    const right = field?.read(value);
    if (field === undefined) {
      const hint = suggestion(
        key,
        fields.map((row) => row.key),
      );
      problems.push(`${source.lineOf(key)}: unknown key "${key}".${hint}`);
    } else if (right === undefined) {
      problems.push(`${source.lineOf(key)}: ${wrongValue(field, value)}`);
    } else {
      values[key] = right;
    }
  }
  return { values: values as ConfigValues, problems };
}

/** Returns the problem of a value that the setting does not take. */
export function wrongValue({ key, expected }: Field, value: JsonValue): string {
  return `"${key}" expects ${expected}, got ${JSON.stringify(value)?.slice(0, 60)}`;
}

/**
 * Yields each setting of the file with its key. Only the objects `limits` and `shares` have settings in them, whose keys
 * become `limits.name` and `shares.name`.
 */
function* flatten(object: JsonObject): Generator<[string, JsonValue]> {
  for (const [key, value] of Object.entries(object)) {
    if (key === "$schema") continue;
    if ((key !== "limits" && key !== "shares") || !isJsonObject(value)) yield [key, value];
    else for (const [inner, each] of Object.entries(value)) yield [`${key}.${inner}` as ConfigKey, each];
  }
}

function kindOf(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

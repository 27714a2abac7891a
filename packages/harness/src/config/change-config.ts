/** Changes one setting in config.json and keeps everything else, including keys that this version does not know. */
import { join } from "node:path";
import { configError } from "@localharness/engine";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import { readJsonSource } from "@localharness/store/json-source";
import { changeKept, type KeptKind } from "@localharness/store/kept-file/kept-file";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";
import { wrongValue } from "./config-file.ts";
import { type ConfigKey, fields } from "./fields.ts";

/**
 * Sets a key, or removes it if `value` is `undefined`. Rejects with a `HarnessError` if the setting does not take the value,
 * if there is no home folder, if the file cannot be written, or if it is not valid: a file that a person wrote by hand must
 * not be replaced.
 */
export async function changeConfig(
  folder: string | undefined,
  journal: WriteJournal,
  key: ConfigKey,
  value: JsonValue | undefined,
): Promise<void> {
  if (folder === undefined) {
    throw configError("there is no home folder to keep settings in: set HOME or XDG_CONFIG_HOME");
  }
  const field = fields.find((row) => row.key === key);
  if (field !== undefined && value !== undefined && field.read(value) === undefined) {
    throw configError(wrongValue(field, value));
  }
  const path = join(folder, "config.json");
  await changeKept(path, configKind(path), journal, (config) => withSetting(config, key, value));
}

function configKind(path: string): KeptKind<JsonObject> {
  return {
    version: 1,
    empty: {},
    contents: "settings",
    durable: true,
    read(text) {
      if (text.trim() === "") return { kind: "value", value: {} };
      const source = readJsonSource(text);
      if (!source.ok) throw configError(`${path}:${source.line}:${source.column}: ${source.message}`);
      if (!isJsonObject(source.value)) throw configError(`${path}:1: expected an object {...}`);
      return { kind: "value", value: source.value };
    },
    write: (config) => `${JSON.stringify(config, null, 2)}\n`,
  };
}

/**
 * Returns a copy of the configuration with one key changed. A key such as `limits.name` stays flat if the configuration has
 * it so; otherwise it is nested in `limits`. If the configuration has it in both ways, only the flat key is kept.
 */
export function withSetting(config: JsonObject, key: ConfigKey, value: JsonValue | undefined): JsonObject {
  const dot = key.indexOf(".");
  if (dot === -1) return withKey(config, key, value);
  const isFlat = key in config;
  const outer = key.slice(0, dot);
  const inner = config[outer];
  const nested = withKey(isJsonObject(inner) ? inner : {}, key.slice(dot + 1), isFlat ? undefined : value);
  const changed = withKey(config, outer, Object.keys(nested).length === 0 ? undefined : nested);
  return isFlat ? withKey(changed, key, value) : changed;
}

function withKey(object: JsonObject, key: string, value: JsonValue | undefined): JsonObject {
  if (value !== undefined) return { ...object, [key]: value };
  const { [key]: _gone, ...rest } = object;
  return rest;
}

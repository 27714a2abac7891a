/**
 * Loads the settings of a run from config.json, the environment and the options. Options override the environment,
 * which overrides the file.
 */
import { join } from "node:path";
import { configError } from "@localharness/engine";
import type { JsonValue } from "@localharness/protocol";
import { readConfigFile } from "./config-file.ts";
import { type ConfigKey, type ConfigValues, type Field, fields, variableName } from "./fields.ts";
import { configFolder } from "./location.ts";
import type { Options } from "./options.ts";

export interface Settings {
  readonly values: ConfigValues;
  /** The source of each value, such as `config.json`, `LOCALHARNESS_MODEL` or `--model`. */
  readonly origins: Readonly<Partial<Record<ConfigKey, string>>>;
  /** The configuration folder; undefined if there is no home folder. */
  readonly folder: string | undefined;
}

/** Loads all settings. Throws a `HarnessError` (`config-invalid`) that says which source, key and value is wrong. */
export async function loadSettings(
  flagValues: Options = {},
  env: NodeJS.ProcessEnv = process.env,
): Promise<Settings> {
  const folder = configFolder(env);
  const file = folder === undefined ? {} : await readConfigFile(join(folder, "config.json"));
  const values: Record<string, JsonValue> = {};
  const origins: Partial<Record<ConfigKey, string>> = {};
  const layers: Layer[] = [
    (field) => ({ value: file[field.key] as JsonValue | undefined, origin: "config.json" }),
    (field) => read(field, env[variableName(field.key)], variableName(field.key)),
    (field) => {
      const { name, means = true } = field.option ?? {};
      const given = name === undefined ? undefined : flagValues[name];
      return read(field, given === true ? means : given, `--${name}`);
    },
  ];
  for (const layer of layers) {
    for (const field of fields) {
      const { value, origin } = layer(field);
      if (value === undefined) continue;
      if (field.key === "provider" && value !== values["provider"]) {
        // The model and the address of an earlier layer belong to the provider of that layer.
        for (const key of ["model", "host"] as const) {
          delete values[key];
          delete origins[key];
        }
      }
      values[field.key] = value;
      origins[field.key] = origin;
    }
  }
  return { values: values as ConfigValues, origins, folder };
}

/** Reads a setting from one source. In the table `provider` comes before the settings that depend on it. */
type Layer = (field: Field) => { readonly value: JsonValue | undefined; readonly origin: string };

function read(field: Field, given: string | number | true | undefined, origin: string): ReturnType<Layer> {
  if (given === undefined || given === "") return { value: undefined, origin };
  const value = field.read(String(given));
  if (value !== undefined) return { value, origin };
  throw configError(`${origin} expects ${field.expected}, got "${given}"`);
}

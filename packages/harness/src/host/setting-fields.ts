/** Lists the settings for the settings editor, and changes a setting in config.json. */
import { join } from "node:path";
import type { JsonValue, SettingField } from "@localharness/protocol";
import { defined, reasonOf, suggestion } from "@localharness/protocol";
import { readJsonSource } from "@localharness/store/json-source";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";
import { changeConfig } from "../config/change-config.ts";
import { readConfigFile } from "../config/config-file.ts";
import { type Field, fields, variableName } from "../config/fields.ts";
import { hasMask, maskAddress } from "../config/mask-address.ts";
import type { Settings } from "../config/settings.ts";

/** Returns every setting. Its value comes from an option or a variable of this run, or else from config.json. */
export async function listSettingFields({
  values,
  origins,
  folder,
}: Settings): Promise<readonly SettingField[]> {
  const file =
    folder === undefined ? {} : await readConfigFile(join(folder, "config.json")).catch(() => values);
  return fields.map((field) => {
    const origin = origins[field.key];
    const overridden = origin !== undefined && origin !== "config.json";
    const held = (overridden ? values : file)[field.key] as JsonValue | undefined;
    const value = held === undefined ? undefined : asText(held);
    const shown = value === undefined ? undefined : maskAddress(value);
    return {
      key: field.key,
      value,
      ...(shown === value ? {} : { shown }),
      origin: overridden ? origin : value === undefined ? "" : "config.json",
      unset: field.unset,
      about: aboutField(field),
      expected: field.expected,
      ...defined({ choices: field.choices }),
    };
  });
}

/**
 * Saves a setting, or removes it if `text` is undefined. Returns an error message if it is invalid, has a masked part or
 * cannot be saved.
 */
export async function changeSettingField(
  folder: string | undefined,
  journal: WriteJournal,
  key: string,
  text: string | undefined,
): Promise<string | undefined> {
  const field = fields.find((one) => one.key === key);
  if (field === undefined) {
    const known = fields.map((one) => one.key);
    return `there is no setting "${key}".${suggestion(key, known)}`;
  }
  if (text !== undefined && hasMask(text)) {
    return `"${key}": **** stands for a part that is not shown. Write that part out.`;
  }
  const value = text === undefined ? undefined : readText(field, text);
  if (text !== undefined && value === undefined) {
    const near = suggestion(text, field.choices ?? []);
    return `"${key}" expects ${field.expected}, got ${JSON.stringify(text.slice(0, 60))}.${near}`;
  }
  try {
    await changeConfig(folder, journal, field.key, value);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function readText(field: Field, text: string): JsonValue | undefined {
  const words = text.trim();
  if (/^[[{]/.test(words)) {
    const source = readJsonSource(words);
    return source.ok ? field.read(source.value) : undefined;
  }
  return field.read(words);
}

function asText(value: JsonValue): string {
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

function aboutField(field: Field): string {
  const option = field.option === undefined ? "" : ` or --${field.option.name}`;
  return `${field.about} (for one run: ${variableName(field.key)}${option})`;
}

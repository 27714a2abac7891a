/**
 * `localharness config`: prints where the settings are stored and their values, with keys masked, or changes a setting.
 */
import { join } from "node:path";
import { configError, usageError } from "@localharness/engine";
import { type JsonValue, plainJson, visibleLine } from "@localharness/protocol";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { configSchema } from "../config/config-schema.ts";
import { fields } from "../config/fields.ts";
import { maskKey, readKeys } from "../config/keys.ts";
import { configFolder, stateFolder } from "../config/location.ts";
import { maskAddress } from "../config/mask-address.ts";
import { loadSettings, type Settings } from "../config/settings.ts";
import { changeSettingField, listSettingFields } from "../host/setting-fields.ts";
import type { CommandLine } from "./command-line.ts";
import { exitCodes } from "./exit-code.ts";
import { folded } from "./fold-lines.ts";

const usage =
  "usage: localharness config path | config show | config set KEY VALUE | config unset KEY | config schema (config show lists the keys)";

export async function runConfig({ positionals, flags }: CommandLine): Promise<number> {
  const [action, key, ...values] = positionals;
  if (action === "set" && key !== undefined && values.length > 0) return await change(key, values.join(" "));
  if (action === "unset" && key !== undefined && values.length === 0) return await change(key, undefined);
  if (key === undefined && action === "path") {
    process.stdout.write(`${join(knownFolder(), "config.json")}\n`);
    return exitCodes.done;
  }
  if (key === undefined && action === "schema") {
    process.stdout.write(`${JSON.stringify(configSchema(), null, 2)}\n`);
    return exitCodes.done;
  }
  if (key === undefined && action === "show") {
    const settings = await loadSettings(flags);
    const keys = Object.entries(await readKeys(settings.folder)).map(
      ([name, value]) => [name, maskKey(value)] as const,
    );
    process.stdout.write(
      flags.json === true ? `${plainJson(asJson(settings, keys))}\n` : folded(asText(settings, keys)),
    );
    return exitCodes.done;
  }
  throw usageError(usage);
}

/** Saves a setting, or removes it if `text` is undefined. Tells the person if an environment variable overrides it. */
async function change(key: string, text: string | undefined): Promise<number> {
  const folder = knownFolder();
  const state = stateFolder();
  if (state === undefined) throw noHome();
  const journal = createWriteJournal(state);
  try {
    const problem = await changeSettingField(folder, journal, key, text);
    if (problem !== undefined) throw usageError(problem);
  } finally {
    journal.close();
  }
  const row = (await listSettingFields(await loadSettings())).find((field) => field.key === key);
  const value = row?.value === undefined ? `${row?.unset ?? ""} (unset)` : (row.shown ?? row.value);
  const before =
    row?.origin === "" || row?.origin === "config.json" ? "" : ` (${row?.origin} overrides config.json)`;
  process.stdout.write(`${key} = ${visibleLine(value)}${before}\n`);
  return exitCodes.done;
}

function knownFolder(): string {
  const folder = configFolder();
  if (folder === undefined) throw noHome();
  return folder;
}

function noHome(): Error {
  return configError("no home folder is known: set HOME or XDG_CONFIG_HOME");
}

type MaskedKeys = readonly (readonly [string, string])[];

function asJson(settings: Settings, keys: MaskedKeys): JsonValue {
  const values: Record<string, JsonValue> = {};
  for (const { key, unset } of fields) {
    const value = settings.values[key] as JsonValue | undefined;
    values[key] = {
      value: typeof value === "string" ? maskAddress(value) : (value ?? null),
      from: settings.origins[key] ?? "default",
      ...(value === undefined ? { unset } : {}),
    };
  }
  return { path: pathOf(settings) ?? null, settings: values, keys: Object.fromEntries(keys) };
}

function asText(settings: Settings, keys: MaskedKeys): string {
  const rows = fields.map((field) => {
    const value = settings.values[field.key];
    const given = typeof value === "string" ? maskAddress(value) : JSON.stringify(value);
    const shown = visibleLine(value === undefined ? field.unset : given);
    const origin = settings.origins[field.key] ?? "default";
    return [field.key.padEnd(29), shown.padEnd(34), origin.padEnd(11), field.about].join(" ");
  });
  const keyRows = keys.map(([name, masked]) => `key of ${visibleLine(name)}: ${masked}`);
  return [
    `# ${pathOf(settings) ?? "no home folder: no configuration is read"}`,
    ...rows,
    ...keyRows,
    "",
  ].join("\n");
}

function pathOf(settings: Settings): string | undefined {
  return settings.folder === undefined ? undefined : join(settings.folder, "config.json");
}

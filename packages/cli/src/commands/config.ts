/** `localharness config`: where the settings are, and which hold. Keys are shown masked. */

import { join } from "node:path";
import { configError, usageError } from "@localharness/engine";
import { fields, variableName } from "@localharness/harness/config/fields";
import { maskKey, readKeys } from "@localharness/harness/config/keys";
import { configFolder } from "@localharness/harness/config/location";
import { maskAddress } from "@localharness/harness/config/mask-address";
import { loadSettings, type Settings } from "@localharness/harness/config/settings";
import { exitCodes } from "@localharness/harness/exit-code";
import type { JsonValue } from "@localharness/protocol";
import type { Invocation } from "../arguments/parse.ts";
import { plainJson, visibleLine } from "../terminal/plain-text.ts";

export async function runConfig(invocation: Invocation): Promise<number> {
  const [action, ...more] = invocation.positionals;
  if (more.length > 0 || (action !== "path" && action !== "show")) {
    throw usageError("usage: localharness config path | localharness config show");
  }
  if (action === "path") {
    const folder = configFolder();
    if (folder === undefined) {
      throw configError("no home folder is known: set HOME or XDG_CONFIG_HOME");
    }
    process.stdout.write(`${join(folder, "config.json")}\n`);
    return exitCodes.done;
  }
  const settings = await loadSettings(invocation.flags);
  const keys = Object.entries(await readKeys(settings.folder)).map(
    ([name, key]) => [name, maskKey(key)] as const,
  );
  const text =
    invocation.flags.json === true ? `${plainJson(asJson(settings, keys))}\n` : asText(settings, keys);
  process.stdout.write(text);
  return exitCodes.done;
}

type MaskedKeys = readonly (readonly [string, string])[];

function asJson(settings: Settings, keys: MaskedKeys): JsonValue {
  const values: Record<string, JsonValue> = {};
  for (const { key } of fields) {
    const value = settings.values[key] as JsonValue | undefined;
    values[key] = {
      value: typeof value === "string" ? maskAddress(value) : (value ?? null),
      from: settings.origins[key] ?? "default",
    };
  }
  return { path: pathOf(settings) ?? null, settings: values, keys: Object.fromEntries(keys) };
}

function asText(settings: Settings, keys: MaskedKeys): string {
  const rows = fields.map((field) => {
    const value = settings.values[field.key];
    const shown =
      value === undefined
        ? "-"
        : visibleLine(typeof value === "string" ? maskAddress(value) : JSON.stringify(value));
    const origin =
      settings.origins[field.key] ?? `${field.about}: ${field.expected}; ${variableName(field.key)}`;
    return `${field.key.padEnd(28)} ${shown.padEnd(24)} ${origin}`;
  });
  const keyRows = keys.map(([name, masked]) => `key of ${visibleLine(name)}: ${masked}`);
  return [`# ${pathOf(settings) ?? "no home folder: nothing is read"}`, ...rows, ...keyRows, ""].join("\n");
}

function pathOf(settings: Settings): string | undefined {
  return settings.folder === undefined ? undefined : join(settings.folder, "config.json");
}

/** Checks the configuration file, and the environment and options that override it. */
import { join } from "node:path";
import { countText, reasonOf } from "@localharness/protocol";
import { configFolder } from "../../config/location.ts";
import type { Options } from "../../config/options.ts";
import { loadSettings, type Settings } from "../../config/settings.ts";
import type { MachineCheck } from "./check-machine.ts";

export interface CheckedSettings {
  /** The settings in force; the defaults if a setting is wrong. */
  readonly settings: Settings;
  readonly check: MachineCheck;
}

export async function checkSettings(options: Options): Promise<CheckedSettings> {
  const folder = configFolder(process.env);
  const name = "settings";
  try {
    const settings = await loadSettings(options);
    const count = Object.keys(settings.origins).length;
    const words =
      folder === undefined
        ? "no home folder: nothing is saved; set HOME"
        : `${join(folder, "config.json")}, ${count === 0 ? "nothing is set" : `${countText(count, "setting")} in force`}`;
    return { settings, check: { name, ok: folder !== undefined, words } };
  } catch (error) {
    const settings: Settings = { values: {}, origins: {}, folder };
    return { settings, check: { name, ok: false, words: reasonOf(error) } };
  }
}

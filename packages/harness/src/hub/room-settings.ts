/** Returns the settings for a session that is opened now. */

import type { Options } from "../config/options.ts";
import { loadSettings, type Settings } from "../config/settings.ts";

/**
 * Returns the settings with which the server was started, but with the tools that the configuration names now, because a
 * person may have switched one in another session. A configuration that cannot be read changes nothing.
 */
export async function roomSettings(
  settings: Settings,
  flags: Options,
  environment: NodeJS.ProcessEnv,
): Promise<Settings> {
  const now = await loadSettings(flags, environment).catch(() => settings);
  const { tools: _toolsAtStart, ...values } = settings.values;
  const { tools: _originAtStart, ...origins } = settings.origins;
  const { tools } = now.values;
  const origin = now.origins.tools;
  return {
    ...settings,
    values: tools === undefined ? values : { ...values, tools },
    origins: origin === undefined ? origins : { ...origins, tools: origin },
  };
}

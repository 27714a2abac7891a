/** Where the program keeps its files. */
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * The folder of the program's own files: `$XDG_CONFIG_HOME/localharness`, or `~/.config/localharness`.
 * Undefined when neither a home folder nor the variable is known: then nothing is read or kept.
 */
export function configFolder(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const xdg = env["XDG_CONFIG_HOME"];
  // The specification says that relative paths in it are to be ignored.
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, "localharness");
  const home = homeFolder(env);
  return home === undefined ? undefined : join(home, ".config", "localharness");
}

/** The folder for what a run leaves for the next one: `$XDG_STATE_HOME/localharness`, or `~/.local/state/localharness`. */
export function stateFolder(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const xdg = env["XDG_STATE_HOME"];
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, "localharness");
  const home = homeFolder(env);
  return home === undefined ? undefined : join(home, ".local", "state", "localharness");
}

function homeFolder(env: NodeJS.ProcessEnv): string | undefined {
  const home = env["HOME"];
  // Accounts of services have a home such as /dev/null, in which nothing can be.
  if (home !== undefined && isAbsolute(home)) return isNoFolder(home) ? undefined : home;
  try {
    const found = homedir();
    return isAbsolute(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** False for what is not there: it may be made. */
function isNoFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch {
    return false;
  }
}

/** Finds the folders of the program's own files. */
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * Returns the configuration folder: `$XDG_CONFIG_HOME/localharness`, or `~/.config/localharness`. Returns undefined if
 * there is neither that variable nor a home folder; then nothing is read or saved.
 */
export function configFolder(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const xdg = env["XDG_CONFIG_HOME"];
  // The XDG specification says to ignore relative paths.
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, "localharness");
  const home = homeFolder(env);
  return home === undefined ? undefined : join(home, ".config", "localharness");
}

/**
 * Returns the state folder, which has sessions, logs and undo: `$XDG_STATE_HOME/localharness`, or
 * `~/.local/state/localharness`. Returns undefined if there is neither that variable nor a home folder.
 */
export function stateFolder(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const xdg = env["XDG_STATE_HOME"];
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, "localharness");
  const home = homeFolder(env);
  return home === undefined ? undefined : join(home, ".local", "state", "localharness");
}

/**
 * Returns the folder of the program's compiled code: `$XDG_CACHE_HOME/localharness`, or `~/.cache/localharness`. The
 * next start runs this code, so other users must not be able to write to the folder, as they can to the temporary
 * folder. Tools cannot reach it. The folder can be deleted at any time. Returns undefined as `configFolder` does.
 */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const xdg = env["XDG_CACHE_HOME"];
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, "localharness");
  const home = homeFolder(env);
  return home === undefined ? undefined : join(home, ".cache", "localharness");
}

function homeFolder(env: NodeJS.ProcessEnv): string | undefined {
  const home = env["HOME"];
  // A service account may have a home such as /dev/null, which is not a folder.
  if (home !== undefined && isAbsolute(home)) return isNoFolder(home) ? undefined : home;
  try {
    const found = homedir();
    return isAbsolute(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Returns true if the path exists and is not a folder. A missing folder can still be created. */
function isNoFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch {
    return false;
  }
}

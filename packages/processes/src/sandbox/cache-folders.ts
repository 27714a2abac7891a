/** Prepares the caches of package managers that one command may write. */
import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Returns the absolute paths of the caches, which begin with `~/`. Creates those that are missing. Leaves out a cache that is not an
 * ordinary folder of the person all the way from the home folder: a link there leads a command to another place than the
 * person was told.
 */
export function cacheFolders(caches: readonly string[], home = homedir()): readonly string[] {
  const real = realPath(home);
  if (real === undefined) return [];
  return caches.flatMap((cache) => {
    const path = ordinaryFolder(real, cache.replace(/^~\//, "").split("/"));
    return path === undefined ? [] : [path];
  });
}

function ordinaryFolder(home: string, names: readonly string[]): string | undefined {
  let path = home;
  for (const name of names) {
    path = join(path, name);
    if (!isOrMakeFolder(path)) return undefined;
  }
  return path;
}

function isOrMakeFolder(path: string): boolean {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) mkdirSync(path, { mode: 0o700 });
    return stats === undefined || (stats.isDirectory() && stats.uid === process.getuid?.());
  } catch {
    return false;
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Limits the total size of the contents kept for undo, over all workspaces and sessions. Removes the oldest contents first. */
import { readdir, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { changeLog } from "./change-folder.ts";
import { filledTo } from "./keep-limits.ts";

interface Kept {
  readonly path: string;
  readonly size: number;
  readonly time: number;
}

/**
 * If all contents together have more than `maxBytes`, removes the oldest until at most 90 % of `maxBytes` are left. Then
 * removes each log that is not newer than the newest removed content if its session has no contents left, except the log in
 * the folder `current`. Returns the number of bytes of the contents that are left. Never rejects; the next call tries again
 * what cannot be removed now.
 */
export async function keepWithin(root: string, maxBytes: number, current: string): Promise<number> {
  const folders = await sessionFolders(root);
  const kept: Kept[] = [];
  // The folders are read one after another, because nothing waits for this and the tools use the same disk.
  for (const folder of folders) {
    kept.push(...(await contentsOf(folder)));
  }
  let total = kept.reduce((sum, { size }) => sum + size, 0);
  if (total <= maxBytes) return total;
  let newest = 0;
  for (const { path, size, time } of kept.toSorted((one, other) => one.time - other.time)) {
    if (total <= maxBytes * filledTo) break;
    if (await removed(path)) {
      total -= size;
      newest = time;
    }
  }
  for (const folder of folders) {
    if (folder !== current) {
      await removeEmptied(folder, newest);
    }
  }
  return total;
}

async function sessionFolders(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const workspace of await names(root)) {
    for (const session of await names(join(root, workspace))) {
      found.push(join(root, workspace, session));
    }
  }
  return found;
}

/** Returns the contents in a session's folder, which are the files named by a hash. */
async function contentsOf(folder: string): Promise<readonly Kept[]> {
  const found: Kept[] = [];
  for (const name of (await names(folder)).filter(isContent)) {
    const path = join(folder, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats?.isFile() === true) {
      found.push({ path, size: stats.size, time: stats.mtimeMs });
    }
  }
  return found;
}

function isContent(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}

/** Removes the log and the folder if the log is not newer than `newest` and the folder has no other file, such as a lock. */
async function removeEmptied(folder: string, newest: number): Promise<void> {
  const log = changeLog(folder);
  const alone = (await names(folder)).every((name) => join(folder, name) === log);
  const stats = alone ? await stat(log).catch(() => undefined) : undefined;
  if (stats !== undefined && stats.mtimeMs <= newest && (await removed(log))) {
    await rmdir(folder).catch(() => undefined);
  }
}

function removed(path: string): Promise<boolean> {
  return rm(path, { force: true }).then(
    () => true,
    () => false,
  );
}

function names(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

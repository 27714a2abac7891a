/** Holds the contents kept for undo within a size: the oldest go first, over all workspaces and sessions. */
import { readdir, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { changeLog } from "./change-folder.ts";

interface Kept {
  readonly path: string;
  readonly size: number;
  readonly time: number;
}

/** Some room is made at once, so that not every change has to. */
export const filledTo = 0.9;

/**
 * Bytes that are kept afterwards. Logs are not counted; those that are older than a content that went, and have no content
 * left, go with it. That of the session in `current` stays. Never rejects: what cannot be removed now is tried the next time.
 */
export async function keepWithin(root: string, mostBytes: number, current: string): Promise<number> {
  const folders = await sessionFolders(root);
  const kept: Kept[] = [];
  // One after the other: nobody waits for it, and the tools are at work on the same disk.
  for (const folder of folders) {
    kept.push(...(await contentsOf(folder)));
  }
  let total = kept.reduce((sum, { size }) => sum + size, 0);
  if (total <= mostBytes) {
    return total;
  }
  let newest = 0;
  for (const { path, size, time } of kept.toSorted((one, other) => one.time - other.time)) {
    if (total <= mostBytes * filledTo) {
      break;
    }
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

/** Contents are named by their hash; what else is there belongs to the log. */
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

/** What else than a log is there, a lock or another content, holds the folder. */
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

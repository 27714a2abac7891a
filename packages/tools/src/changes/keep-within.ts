/** Holds what is kept for undo within a size: the oldest contents go first, over all workspaces and sessions. */
import { readdir, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";

interface Kept {
  readonly path: string;
  readonly size: number;
  readonly time: number;
}

/** Some room is made at once, so that not every change has to. */
const filledTo = 0.9;

/** Bytes that are kept now. Never rejects: what cannot be removed now is tried the next time. */
export async function keepWithin(root: string, mostBytes: number): Promise<number> {
  const folders = await sessionFolders(root);
  const kept = (await Promise.all(folders.map(contentsOf))).flat();
  let total = kept.reduce((sum, { size }) => sum + size, 0);
  if (total <= mostBytes) {
    return total;
  }
  for (const { path, size } of kept.toSorted((one, other) => one.time - other.time)) {
    if (total <= mostBytes * filledTo) {
      break;
    }
    const gone = await rm(path, { force: true }).then(
      () => true,
      () => false,
    );
    total -= gone ? size : 0;
  }
  for (const folder of folders) {
    await rmdir(folder).catch(() => undefined);
  }
  return total;
}

async function sessionFolders(root: string): Promise<readonly string[]> {
  const workspaces = await names(root);
  const sessions = await Promise.all(
    workspaces.map(async (workspace) =>
      (await names(join(root, workspace))).map((session) => join(root, workspace, session)),
    ),
  );
  return sessions.flat();
}

async function contentsOf(folder: string): Promise<readonly Kept[]> {
  const found = await Promise.all(
    (await names(folder)).map(async (name): Promise<readonly Kept[]> => {
      const path = join(folder, name);
      const stats = await stat(path).catch(() => undefined);
      return stats?.isFile() === true ? [{ path, size: stats.size, time: stats.mtimeMs }] : [];
    }),
  );
  return found.flat();
}

function names(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/** Moves the sessions of a folder that was renamed or moved to its new place, with their undo data. */
import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { usageError } from "@localharness/engine";
import { reasonOf } from "@localharness/protocol";
import { sessionChanges } from "@localharness/workspace/changes/change-folder";
import { sessionIds } from "./list-sessions.ts";
import { allFolders, folderNote } from "./session-folders.ts";
import { whereOpen } from "./session-lock.ts";
import { sessionPath, sessionsFolder } from "./session-place.ts";

export interface MovedSessions {
  readonly moved: number;
  /** The sessions that stay, each with the reason, as lines for the person. */
  readonly stayed: readonly string[];
}

/**
 * Moves the sessions of `from`, and of the folders in it, to `to`; both are real paths, and `from` need not exist. Each
 * session is moved as a whole: if the program ends in between, a second call moves the others. Trust and remembered answers
 * are not moved. Rejects with a `HarnessError` if `from` has no sessions, or if the new place cannot be written.
 */
export async function moveSessions(stateFolder: string, from: string, to: string): Promise<MovedSessions> {
  const below = (await allFolders(stateFolder)).map(({ workspace }) => workspace);
  const olds = [...new Set([from, ...below.filter((one) => one.startsWith(from + sep))])];
  const withSessions = olds.filter((old) => sessionIds(sessionsFolder(stateFolder, old)).length > 0);
  if (from === to) throw usageError(`${from} is the place of its sessions already`);
  if (withSessions.length === 0) {
    throw usageError(
      `${from} has no sessions: localharness sessions list --all shows which folders have some`,
    );
  }
  const results = withSessions.map((old) => moveFolder(stateFolder, old, to + old.slice(from.length)));
  return {
    moved: results.reduce((sum, { moved }) => sum + moved, 0),
    stayed: results.flatMap(({ stayed }) => stayed),
  };
}

function moveFolder(stateFolder: string, from: string, to: string): MovedSessions {
  const [old, next] = [sessionsFolder(stateFolder, from), sessionsFolder(stateFolder, to)];
  const stayed: string[] = [];
  let moved = 0;
  try {
    mkdirSync(next, { recursive: true, mode: 0o700 });
    // The headers of the files name the old place, and a file is never overwritten.
    writeFileSync(join(next, folderNote), `${JSON.stringify({ workspace: to })}\n`, { mode: 0o600 });
  } catch (error) {
    throw usageError(`${next} cannot be written: ${reasonOf(error)}`, error);
  }
  for (const id of sessionIds(old)) {
    const why = moveOne(stateFolder, id, from, to);
    if (why === undefined) moved += 1;
    else stayed.push(`${id} stays: ${why}`);
  }
  if (stayed.length === 0) removeEmpty(old);
  return { moved, stayed };
}

/** Moves one session, its file last. Returns why it stays; undefined if it was moved. */
function moveOne(stateFolder: string, id: string, from: string, to: string): string | undefined {
  const [path, next] = [from, to].map((one) => sessionPath(sessionsFolder(stateFolder, one), id));
  if (path === undefined || next === undefined) return undefined;
  const where = whereOpen(path);
  if (where !== undefined) return `it is open ${where}`;
  if (existsSync(next)) return `${next} exists`;
  const [undo, nextUndo] = [from, to].map((one) => sessionChanges(stateFolder, one, id));
  try {
    if (undo !== undefined && nextUndo !== undefined && existsSync(undo) && !existsSync(nextUndo)) {
      mkdirSync(dirname(nextUndo), { recursive: true, mode: 0o700 });
      renameSync(undo, nextUndo);
    }
    renameSync(path, next);
    rmSync(`${path}.lock`, { force: true });
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function removeEmpty(folder: string): void {
  try {
    rmSync(join(folder, folderNote), { force: true });
    rmdirSync(folder);
  } catch {
    // Something else is in it, such as a backup.
  }
}

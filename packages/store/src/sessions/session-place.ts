/** Computes the paths of session files: `sessions/<workspace>/<id>.jsonl` in the state folder. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { usageError } from "@localharness/engine";
import { workspaceName } from "@localharness/workspace/changes/change-folder";

export const sessionEnding = ".jsonl";

/** Returns the folder of a workspace's sessions; `workspace` is a real path. */
export function sessionsFolder(stateFolder: string, workspace: string): string {
  return join(stateFolder, "sessions", workspaceName(workspace));
}

/** Returns true for a valid id. It has only letters, digits, `_` and `-`, so it is a plain file name. */
export function isSessionId(id: string): boolean {
  return /^[0-9A-Za-z][0-9A-Za-z_-]{0,79}$/.test(id);
}

/** Returns the path of a session's file. Throws a `HarnessError` for an id that is not a plain file name. */
export function sessionPath(folder: string, id: string): string {
  if (!isSessionId(id)) {
    throw usageError(`"${id}" is not a session id: localharness sessions list shows them`);
  }
  return join(folder, `${id}${sessionEnding}`);
}

/** Returns the path of a session's file: in `folder`, else in the folder of another workspace that has the session. */
export function placeOf(folder: string, id: string): string {
  const own = sessionPath(folder, id);
  if (existsSync(own)) return own;
  const [other] = otherFolders(folder).filter((one) => existsSync(sessionPath(one, id)));
  return other === undefined ? own : sessionPath(other, id);
}

/** Returns true for an absolute path at which there is nothing. */
export function isGone(workspace: string): boolean {
  return (workspace.startsWith("/") || /^[A-Za-z]:/.test(workspace)) && !existsSync(workspace);
}

/** Returns the number of a folder in its file system, which a rename does not change; undefined if it cannot be read. */
export function inodeOf(folder: string): number | undefined {
  try {
    return statSync(folder).ino;
  } catch {
    return undefined;
  }
}

/** Returns the folders with the sessions of all other workspaces. */
export function otherFolders(folder: string): readonly string[] {
  const root = join(folder, "..");
  return namesIn(root)
    .filter((name) => name !== basename(folder))
    .map((name) => join(root, name));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

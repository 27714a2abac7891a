/** Computes the paths of session files: `sessions/<workspace>/<id>.jsonl` in the state folder. */
import { join } from "node:path";
import { usageError } from "@localharness/engine";
import { workspaceName } from "@localharness/tools";

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

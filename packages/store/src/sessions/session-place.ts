/** Where sessions lie: `sessions/<workspace>/<id>.jsonl` below the state folder, readable by their owner alone. */
import { join } from "node:path";
import { usageError } from "@localharness/engine";
import { workspaceName } from "@localharness/tools";

export const sessionEnding = ".jsonl";

/** `workspace` is a real path. */
export function sessionsFolder(stateFolder: string, workspace: string): string {
  return join(stateFolder, "sessions", workspaceName(workspace));
}

/** True for nothing but a plain file name. */
export function isSessionId(id: string): boolean {
  return /^[0-9A-Za-z][0-9A-Za-z_-]{0,79}$/.test(id);
}

/** Throws a `HarnessError` for an id that could be anything but a plain file name. */
export function sessionPath(folder: string, id: string): string {
  if (!isSessionId(id))
    throw usageError(`"${id}" is no id of a session: localharness sessions list shows them`);
  return join(folder, `${id}${sessionEnding}`);
}

/** Finds sessions of other folders, such as those of a folder that was renamed or moved. */
import { basename } from "node:path";
import { sessionIds } from "./list-sessions.ts";
import { allFolders, type WorkspaceSessions } from "./session-folders.ts";
import { inodeOf, isGone, otherFolders } from "./session-place.ts";

/** Returns the ids of sessions of other folders that are `wanted` or begin with it. A beginning has at least 4 characters. */
export function idsElsewhere(folder: string, wanted: string): readonly string[] {
  const ids = otherFolders(folder).flatMap(sessionIds);
  if (ids.includes(wanted)) return [wanted];
  return wanted.length < minBeginning ? [] : [...new Set(ids.filter((id) => id.startsWith(wanted)))];
}

const minBeginning = 4;
const maxNamed = 3;

/**
 * Returns the folders that are gone and have sessions, the likeliest former place of `workspace` first: the same folder of
 * the file system, then one of the same name, then the one used last. At most three.
 */
export async function goneFolders(
  stateFolder: string,
  workspace: string,
): Promise<readonly WorkspaceSessions[]> {
  const inode = inodeOf(workspace);
  const likeness = ({ workspace: old, inode: known }: WorkspaceSessions) =>
    known !== undefined && known === inode ? 2 : basename(old) === basename(workspace) ? 1 : 0;
  const gone = (await allFolders(stateFolder)).filter(({ workspace: old }) => isGone(old));
  return gone.toSorted((left, right) => likeness(right) - likeness(left)).slice(0, maxNamed);
}

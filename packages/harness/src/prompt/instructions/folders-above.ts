/** Names the folders between the root of a repository and a workspace in it, whose instructions hold in the workspace too. */
import { posix, relative, sep } from "node:path";

export interface FolderAbove {
  /** The path from the root; `.` for the root itself. */
  readonly fromRoot: string;
  /** The path from the workspace, such as `../..`. */
  readonly fromWorkspace: string;
}

/** Returns the folders above the workspace up to the root, the nearest first; none if the workspace is the root. */
export function foldersAbove(root: string, workspace: string): readonly FolderAbove[] {
  const names = relative(root, workspace).split(sep);
  if (names[0] === "" || names[0] === "..") return [];
  return names.map((_, at) => ({
    fromRoot: posix.join(".", ...names.slice(0, names.length - 1 - at)),
    fromWorkspace: Array.from({ length: at + 1 }, () => "..").join("/"),
  }));
}

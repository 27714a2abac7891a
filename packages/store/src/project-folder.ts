/** Names the folder of a project's own rules and hooks. */
import type { Workspace } from "@localharness/tools";

export const projectFolder = ".localharness";

/**
 * Returns true if there is a file or a socket in place of the folder, so that the project has no rules and hooks. A sandbox puts one
 * there while a command runs, also a sandbox of another process.
 */
export function isNoFolder(workspace: Workspace): boolean {
  const place = workspace.locate(projectFolder);
  const stats = place.ok ? place.value.stats : undefined;
  return stats?.isFile() === true || stats?.isSocket() === true;
}

/** Names the folder of a project's own rules and hooks. */
import type { Workspace } from "@localharness/tools";

export const projectFolder = ".localharness";

/**
 * Returns true if there is a file in place of the folder, so that the project has no rules and hooks. A sandbox of
 * another process may put a file there while a command runs.
 */
export function isNoFolder(workspace: Workspace): boolean {
  const place = workspace.locate(projectFolder);
  return place.ok && place.value.stats?.isFile() === true;
}

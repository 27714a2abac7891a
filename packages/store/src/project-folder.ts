/** The folder of a project's own rules and hooks. */
import type { Workspace } from "@localharness/tools";

export const projectFolder = ".localharness";

/**
 * Returns true if the path is a file instead of a folder, so that it has no rules and hooks. The sandbox of another process
 * puts a file there while a command runs.
 */
export function isNoFolder(workspace: Workspace): boolean {
  const place = workspace.locate(projectFolder);
  return place.ok && place.value.stats?.isFile() === true;
}

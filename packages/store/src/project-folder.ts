/** The folder in which a project brings along its rules and hooks. */
import type { Workspace } from "@localharness/tools";

export const projectFolder = ".localharness";

/** True where a file stands in its place, as one does while a command of another process runs in the sandbox: then nothing is in it. */
export function isNoFolder(workspace: Workspace): boolean {
  const place = workspace.locate(projectFolder);
  return place.ok && place.value.stats?.isFile() === true;
}

/** Names the folder of a project's own rules and hooks, and checks whether something else is at its place. */
import type { Workspace } from "@localharness/workspace/paths/workspace";

export const projectFolder = ".localharness";

/**
 * Returns true if `.localharness` is a file or a socket, so that the project has no rules and hooks. While a command runs, a
 * sandbox has a placeholder there; the sandbox may belong to another process.
 */
export function isNoFolder(workspace: Workspace): boolean {
  const place = workspace.locate(projectFolder);
  const stats = place.ok ? place.value.stats : undefined;
  return stats?.isFile() === true || stats?.isSocket() === true;
}

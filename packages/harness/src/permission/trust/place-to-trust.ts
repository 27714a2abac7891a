/** Decides which folder the question about trust is about. */
import { repositoryRoot } from "@localharness/workspace/git-files/repository-root";

/** Returns the root of the workspace's repository, or else the workspace. */
export function placeToTrust(workspace: string): string {
  return repositoryRoot(workspace) ?? workspace;
}

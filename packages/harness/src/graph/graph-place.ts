/** Says where the index of a workspace is stored. */
import { join } from "node:path";
import { workspaceName } from "@localharness/workspace/changes/change-folder";

/** Returns the path of the index file of a workspace, which is given by its real path. */
export function graphFile(stateFolder: string, workspace: string): string {
  return join(stateFolder, "index", workspaceName(workspace), "graph.sqlite");
}

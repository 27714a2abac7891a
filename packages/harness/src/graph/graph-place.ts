/** Tells where the index of a workspace is. */
import { join } from "node:path";
import { workspaceName } from "@localharness/tools";

/** Returns the file of the index of a workspace (real path). */
export function graphFile(stateFolder: string, workspace: string): string {
  return join(stateFolder, "index", workspaceName(workspace), "graph.sqlite");
}

/** Lists the files of the workspace as a tree, for the line-by-line chat. */
import { basename } from "node:path";
import type { Composition } from "../compose/compose.ts";

/** Returns the tree, or a sentence that says why it cannot be shown. */
export async function listTree({
  allTools,
  workspace,
}: Pick<Composition, "allTools" | "workspace">): Promise<string> {
  const context = { callId: "context", signal: AbortSignal.timeout(20_000), report: () => undefined };
  const listed = await allTools.execute("get_file_tree", {}, context);
  return listed.ok ? treeText(listed.data, basename(workspace)) : listed.message;
}

function treeText(data: string, root: string): string {
  try {
    const paths: unknown = JSON.parse(data);
    return Array.isArray(paths) ? [`${root}/`, ...paths.map((path) => `  ${path}`)].join("\n") : data;
  } catch {
    return data;
  }
}

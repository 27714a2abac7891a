/** A call opens what was examined, and nothing that has come in its place since. */
import type { ToolContext } from "@localharness/engine";
import type { ToolResources } from "../resources.ts";

/** The same resources, whose workspace refuses what the decision about this call was not made on. */
export function holdToExamined(resources: ToolResources, context: ToolContext): ToolResources {
  const paths = context.examined?.paths;
  if (paths === undefined) {
    return resources;
  }
  const exact = new Set(paths.map((touched) => touched.path));
  const workspace = resources.workspace.limitedTo(
    (path, onTheWay) => exact.has(path) || (onTheWay && paths.some((one) => isAbove(path, one.path))),
  );
  return { ...resources, workspace };
}

function isAbove(folder: string, path: string): boolean {
  return folder === "." || path.startsWith(`${folder}/`);
}

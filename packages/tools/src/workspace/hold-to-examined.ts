/** A call opens what was examined, and nothing that has come in its place since. */
import type { ToolContext, ToolOutput } from "@localharness/engine";
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

/** Runs what changes files: held to what was examined, on record for undo, with a note of what cannot be. */
export async function changing(
  resources: ToolResources,
  context: ToolContext,
  change: (held: ToolResources) => Promise<ToolOutput> | ToolOutput,
): Promise<ToolOutput> {
  const changes = resources.changes.of(context.turn);
  const output = await change({ ...holdToExamined(resources, context), changes });
  const notes = changes.notes();
  return notes.length === 0 || !output.ok
    ? output
    : { ...output, notes: [...(output.notes ?? []), ...notes.slice(0, mostNotes)] };
}

const mostNotes = 3;

function isAbove(folder: string, path: string): boolean {
  return folder === "." || path.startsWith(`${folder}/`);
}

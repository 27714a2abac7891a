/** Limits a call to the paths that were examined, so that it cannot open files that have taken their place since. */
import type { ToolContext, ToolOutput } from "@localharness/engine";
import type { ToolResources } from "../resources.ts";

/** Returns the resources with a workspace that opens only the examined paths; unchanged if the facts have no paths. */
export function holdToExamined(resources: ToolResources, context: ToolContext): ToolResources {
  const paths = context.examined?.paths;
  if (paths === undefined) return resources;
  const exact = new Set(paths.map((touched) => touched.path));
  const workspace = resources.workspace.limitedTo(
    (path, onTheWay) => exact.has(path) || (onTheWay && paths.some((one) => isAbove(path, one.path))),
  );
  return { ...resources, workspace };
}

/**
 * Runs a change limited to the examined paths, and records it for undo. If it succeeds, adds at most three notes on what
 * cannot be undone.
 */
export async function runChange(
  resources: ToolResources,
  context: ToolContext,
  change: (held: ToolResources) => Promise<ToolOutput> | ToolOutput,
): Promise<ToolOutput> {
  const changes = resources.changes.of(context.turn);
  const output = await change({ ...holdToExamined(resources, context), changes });
  const notes = changes.notes();
  return notes.length === 0 || !output.ok
    ? output
    : { ...output, notes: [...(output.notes ?? []), ...notes.slice(0, maxNotes)] };
}

const maxNotes = 3;

function isAbove(folder: string, path: string): boolean {
  return folder === "." || path.startsWith(`${folder}/`);
}

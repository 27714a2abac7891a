/** Limits a call to the paths that were examined, so that it cannot open files that have taken their place since. */
import type { ToolContext, ToolOutput } from "@localharness/engine";
import type { Workspace } from "../paths/workspace.ts";
import type { Changes } from "./changes.ts";

/** Returns the parts with a workspace that opens only the examined paths; unchanged if the facts have no paths. */
export function holdToExamined<Parts extends { readonly workspace: Workspace }>(
  parts: Parts,
  context: Pick<ToolContext, "examined">,
): Parts {
  const paths = context.examined?.paths;
  if (paths === undefined) return parts;
  const exact = new Set(paths.map((touched) => touched.path));
  const workspace = parts.workspace.limitedTo(
    (path, onTheWay) => exact.has(path) || (onTheWay && paths.some((one) => isAbove(path, one.path))),
  );
  return { ...parts, workspace };
}

/**
 * Runs a change limited to the examined paths, and records it for undo. If it succeeds, adds at most three notes on what
 * cannot be undone.
 */
export async function runChange<Parts extends { readonly workspace: Workspace; readonly changes: Changes }>(
  parts: Parts,
  context: ToolContext,
  change: (held: Parts) => Promise<ToolOutput> | ToolOutput,
): Promise<ToolOutput> {
  const changes = parts.changes.of(context.turn);
  const output = await change({ ...holdToExamined(parts, context), changes });
  const notes = changes.notes();
  return notes.length === 0 || !output.ok
    ? output
    : { ...output, notes: [...(output.notes ?? []), ...notes.slice(0, maxNotes)] };
}

const maxNotes = 3;

function isAbove(folder: string, path: string): boolean {
  return folder === "." || path.startsWith(`${folder}/`);
}

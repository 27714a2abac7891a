/** Computes the facts about an edit before it runs. */
import type { CallFacts } from "@localharness/engine";
import type { PathExaminer, PlannedTouch } from "./planned-touch.ts";

/** Returns the facts about an edit that writes `content`. */
export function examineEdit(
  examiner: PathExaminer,
  touches: readonly PlannedTouch[],
  content: string,
): CallFacts {
  const facts = examiner.examinePaths(touches);
  return { ...facts, kind: everyEdit(facts), writesBytes: Buffer.byteLength(content) };
}

/**
 * Returns the kind of calls that edit text or make folders. It is the same for all tools, so that one answer covers all of them.
 * An answer about the workspace does not cover an added folder, and none covers several.
 */
export function everyEdit({ paths = [] }: Pick<CallFacts, "paths">): NonNullable<CallFacts["kind"]> {
  const folders = [...new Set(paths.map(({ added }) => added?.root))].filter((root) => root !== undefined);
  const where = folders.length === 0 ? "this workspace" : folders.join(" and ");
  return {
    scope: JSON.stringify({ edits: "text", ...(folders.length === 0 ? {} : { folders: folders.sort() }) }),
    covers: `every edit of ordinary files of ${where}, by any tool (undo has the old content)`,
  };
}

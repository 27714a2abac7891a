/** Grades a call for the person by what becomes of its effect. */
import type { PermissionGrade } from "@localharness/protocol";
import type { PolicyQuestion } from "./rule.ts";

/**
 * Returns the grade that the tool found, unless a concern says that undo keeps no copy. Without one, a call that is not known
 * to only read cannot be undone.
 */
export function gradeOf({ facts, readOnly }: PolicyQuestion): PermissionGrade {
  const { grade = readOnly ? "reads" : "lasting", concerns = [] } = facts;
  const isKept = grade === "undoable" || grade === "kept";
  return isKept && concerns.some(({ id }) => losses.test(id)) ? "lasting" : grade;
}

/** Matches the ids of the concerns about changes of which undo keeps no copy. */
const losses = /^(?:lost$|written-secret:)/;

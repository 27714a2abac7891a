/** Declares what a permission question says of a call's effect and of an answer's wider scope. */

/**
 * What becomes of a call's effect: `reads` changes nothing, undo reverses `undoable`, undo reverses what a `kept` command changes
 * in the kept files of the workspace, undo cannot reverse `lasting`, and `leaves` reaches another machine.
 */
export type PermissionGrade = "reads" | "undoable" | "kept" | "lasting" | "leaves";

/** The scope of an answer that also covers other calls of the same beginning. */
export interface WiderScope {
  /** The scope in words for the person. */
  readonly covers: string;
  /** The beginning of the calls: `npm test`. */
  readonly begins: string;
}

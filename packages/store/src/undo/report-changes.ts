/** Describes the result of an undo or redo for the person. */
import type { Step } from "./change-history.ts";
import type { PutBack } from "./put-back.ts";

export interface ChangeReport {
  /**
   * For each turn, a summary and at most 40 lines about paths that were restored or left alone and changes that were not
   * recorded, and how many more there are. After the turns, hints such as how many turns are left. One line if there was
   * nothing to do. Control characters in paths are not escaped.
   */
  readonly lines: readonly string[];
  /** The number of paths that were restored. */
  readonly changed: number;
}

const maxLines = 40;

export function reportOf(
  what: "undone" | "redone",
  /** The turn in words, usually the message that began it. */
  turn: string,
  { done, left }: PutBack,
  missed: readonly string[],
): ChangeReport {
  const rows = [
    ...left.map(({ path, why }) => `  left alone  ${path}: ${why}`),
    ...missed.map((why) => `  not kept    ${why}`),
    ...done.map(
      (step) => `  ${verb(step, what).padEnd(11)} ${step.path}${step.to.kind === "folder" ? "/" : ""}`,
    ),
  ];
  const more = rows.length > maxLines ? [`  and ${rows.length - maxLines} more`] : [];
  const count = `${done.length} ${done.length === 1 ? "path" : "paths"}`;
  const head = `${what}: ${turn}, ${count}${left.length === 0 ? "" : `; ${left.length} left alone`}`;
  return { lines: [head, ...rows.slice(0, maxLines), ...more], changed: done.length };
}

function verb({ from, to }: Step, what: "undone" | "redone"): string {
  if (to.kind === "absent") return "removed";
  if (from.kind === "absent") return what === "undone" ? "brought back" : "made";
  return what === "undone" ? "put back" : "changed";
}

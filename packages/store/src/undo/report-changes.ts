/** Describes an undo or redo for the person, before and after it. */
import { type ChangeReport, countText } from "@localharness/protocol";
import type { Step } from "./change-history.ts";
import type { Left } from "./plan-undo.ts";

/** What is done with the changes of one turn. */
export interface ReportedTurn {
  readonly done: readonly Step[];
  readonly left: readonly Left[];
  /** The calls that made the changes. */
  readonly calls: readonly string[];
  /** Descriptions of changes that were not recorded. */
  readonly missed?: readonly string[];
  /** The lines that a change had added and removed, by its path: `+3 -1`. */
  readonly counts?: ReadonlyMap<string, string>;
}

const maxLines = 40;
const maxCalls = 5;

export function reportOf(
  what: "undone" | "redone",
  /** The turn in words, usually the message that began it. */
  turn: string,
  reported: ReportedTurn,
): ChangeReport {
  const { done } = reported;
  const rows = rowsOf(reported, what);
  return { lines: [`${what}: ${turn}, ${summary(reported)}`, ...rows], changed: done.length };
}

/** Returns `3 paths; 1 left alone`. */
export function summary({ done, left }: ReportedTurn): string {
  return `${countText(done.length, "path")}${left.length === 0 ? "" : `; ${left.length} left alone`}`;
}

/** Returns at most 40 lines: the calls, what cannot be restored, and what becomes of each path. */
export function rowsOf(
  { done, left, calls, missed = [], counts }: ReportedTurn,
  what: "undone" | "redone" | "foreseen",
): readonly string[] {
  const named = [...new Set(calls)];
  const others = named.length > maxCalls ? [`${named.length - maxCalls} more`] : [];
  const count = (path: string) => {
    const lines = counts?.get(path);
    return lines === undefined ? "" : ` (${lines})`;
  };
  const rows = [
    ...left.map(({ path, why }) => `  left alone  ${path}: ${why}`),
    // A job has an entry for each folder.
    ...[...new Set(missed)].map((why) => `  not kept    ${why}`),
    ...done.map(({ path, from, to }) => {
      const verb = verbs[what][to.kind === "absent" ? 0 : from.kind === "absent" ? 1 : 2];
      return `  ${verb.padEnd(11)} ${path}${to.kind === "folder" ? "/" : ""}${count(path)}`;
    }),
  ];
  return [
    ...(named.length === 0 ? [] : [`  changed by  ${[...named.slice(0, maxCalls), ...others].join(", ")}`]),
    ...rows.slice(0, maxLines),
    ...(rows.length > maxLines ? [`  and ${rows.length - maxLines} more`] : []),
  ];
}

/** The words for a path that goes, comes back, and changes. */
const verbs = {
  undone: ["removed", "brought back", "put back"],
  redone: ["removed", "made", "changed"],
  foreseen: ["removes", "brings back", "puts back"],
} as const;

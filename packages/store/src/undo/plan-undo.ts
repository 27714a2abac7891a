/** What has to be done to take back the changes of a turn, from what stands on the disk now. Pure. */
import { type ChangeRecord, type PathState, sameState } from "@localharness/tools";
import type { Step } from "./change-history.ts";

export interface Left {
  readonly path: string;
  /** In words, after `left alone`. */
  readonly why: string;
}

export interface UndoPlan {
  /** In the order in which they can be done. */
  readonly steps: readonly Step[];
  readonly left: readonly Left[];
}

/** `now` has the state of every path of the changes, or why it cannot be known. */
export function planUndo(
  changes: readonly ChangeRecord[],
  now: ReadonlyMap<string, PathState | string>,
): UndoPlan {
  const steps: Step[] = [];
  const left: Left[] = [];
  for (const [path, chain] of Map.groupBy(changes, (change) => change.path)) {
    const state = now.get(path);
    if (state === undefined || typeof state === "string") {
      left.push({ path, why: state ?? "it cannot be looked at" });
      continue;
    }
    const to = before(chain, state);
    if (to === undefined) left.push({ path, why: "it was changed since" });
    else if (sameState(to, state) || to === state) continue;
    else if (to.kind === "file" && to.notKept !== undefined) left.push({ path, why: notKept[to.notKept] });
    else if (to.kind === "other") left.push({ path, why: "it was no file, folder or link" });
    else steps.push({ path, from: state, to });
  }
  return { steps: inOrder(steps), left };
}

/** The way back, one change after the other: one that is not found never happened, or was taken back before. */
function before(chain: readonly ChangeRecord[], now: PathState): PathState | undefined {
  let cursor = now;
  for (const change of chain.toReversed()) {
    if (sameState(cursor, change.after)) cursor = change.before;
    else if (!sameState(cursor, change.before)) return undefined;
  }
  return cursor;
}

const notKept = {
  size: "its old content was too large to be kept",
  secret: "its old content was not kept, as its name or its content means a secret",
  turn: "too much was changed in that turn for its old content to be kept",
  unreadable: "its old content could not be read",
  disk: "its old content could not be kept: the disk refused",
} as const;

/** What goes before what comes; inner before outer when it goes, outer before inner when it comes. */
function inOrder(steps: readonly Step[]): readonly Step[] {
  const depth = ({ path }: Step) => path.split("/").length;
  const going = steps.filter(({ to }) => to.kind === "absent");
  const coming = steps.filter(({ to }) => to.kind !== "absent");
  return [
    ...going.toSorted((one, other) => depth(other) - depth(one)),
    ...coming.toSorted((one, other) => depth(one) - depth(other)),
  ];
}

/** The same steps the other way, for redo. */
export function planRedo(undone: readonly Step[], now: ReadonlyMap<string, PathState | string>): UndoPlan {
  const steps: Step[] = [];
  const left: Left[] = [];
  for (const { path, from, to } of undone) {
    const state = now.get(path);
    if (state === undefined || typeof state === "string")
      left.push({ path, why: state ?? "it cannot be looked at" });
    else if (sameState(state, from)) continue;
    else if (!sameState(state, to)) left.push({ path, why: "it was changed since" });
    else if (from.kind === "file" && from.notKept !== undefined)
      left.push({ path, why: notKept[from.notKept] });
    else steps.push({ path, from: state, to: from });
  }
  return { steps: inOrder(steps), left };
}

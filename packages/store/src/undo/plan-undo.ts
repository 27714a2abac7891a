/**
 * Plans the steps that undo or redo the changes of a turn. The caller has read the state of the disk; the functions
 * here change nothing.
 */
import { type ChangeRecord, type PathState, sameState } from "@localharness/tools";
import type { Step } from "./change-history.ts";

export interface Left {
  readonly path: string;
  /** The reason in words, for the line `left alone PATH: REASON`. */
  readonly why: string;
}

export interface UndoPlan {
  /** The steps, in an order in which they can be executed. */
  readonly steps: readonly Step[];
  /** The paths that cannot be restored. A path that is already restored is neither here nor in `steps`. */
  readonly left: readonly Left[];
}

/** Plans an undo. `now` has the current state of each changed path, or the reason why its state cannot be read. */
export function planUndo(
  changes: readonly ChangeRecord[],
  now: ReadonlyMap<string, PathState | string>,
): UndoPlan {
  const steps: Step[] = [];
  const left: Left[] = [];
  for (const [path, chain] of Map.groupBy(changes, (change) => change.path)) {
    const state = now.get(path);
    if (state === undefined || typeof state === "string") {
      left.push({ path, why: state ?? "it cannot be read" });
      continue;
    }
    const to = stateBefore(chain, state);
    if (to === undefined) left.push({ path, why: whyLeft(state) });
    else if (sameState(to, state) || to === state) continue;
    else if (to.kind === "file" && to.notKept !== undefined) left.push({ path, why: whyNotKept[to.notKept] });
    else if (to.kind === "other") left.push({ path, why: "it was not a file, folder or link" });
    else steps.push({ path, from: state, to });
  }
  return { steps: inOrder(steps), left };
}

/**
 * Follows the changes of a path back from the last one, and returns the state before all of them. Returns undefined if
 * something else has changed the path since. A change whose `before` is the current state was never made or is already
 * undone.
 */
function stateBefore(chain: readonly ChangeRecord[], now: PathState): PathState | undefined {
  let cursor = now;
  for (const change of chain.toReversed()) {
    if (sameState(cursor, change.after)) cursor = change.before;
    else if (!sameState(cursor, change.before)) return undefined;
  }
  return cursor;
}

function whyLeft(now: PathState): string {
  return now.kind === "absent" ? "it was removed since, by you or by a command" : "it was changed since";
}

/** The reasons in words why an old content was not kept. */
export const whyNotKept = {
  size: "its old content was too large to be kept",
  secret: "its old content was not kept, because its name or its content looks like a secret",
  turn: "too much was changed in that turn for its old content to be kept",
  unreadable: "its old content could not be read",
  disk: "its old content could not be kept: writing it to the disk failed",
} as const;

/**
 * Orders the steps: first the removals, where contents come before their folder; then the other steps, where folders
 * come before their contents.
 */
function inOrder(steps: readonly Step[]): readonly Step[] {
  const depth = ({ path }: Step) => path.split("/").length;
  const going = steps.filter(({ to }) => to.kind === "absent");
  const coming = steps.filter(({ to }) => to.kind !== "absent");
  return [
    ...going.toSorted((one, other) => depth(other) - depth(one)),
    ...coming.toSorted((one, other) => depth(one) - depth(other)),
  ];
}

/** Plans a redo, which makes the steps of an undo in the reverse direction. */
export function planRedo(undone: readonly Step[], now: ReadonlyMap<string, PathState | string>): UndoPlan {
  const steps: Step[] = [];
  const left: Left[] = [];
  for (const { path, from, to } of undone) {
    const state = now.get(path);
    if (state === undefined || typeof state === "string") {
      left.push({ path, why: state ?? "it cannot be read" });
    } else if (sameState(state, from)) continue;
    else if (!sameState(state, to)) left.push({ path, why: "it was changed since" });
    else if (from.kind === "file" && from.notKept !== undefined) {
      left.push({ path, why: whyNotKept[from.notKept] });
    } else steps.push({ path, from: state, to: from });
  }
  return { steps: inOrder(steps), left };
}

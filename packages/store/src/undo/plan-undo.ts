/**
 * Plans the steps that undo or redo the changes of a turn. The caller has read the state of the disk; the functions
 * here change nothing.
 */
import type { ChangeRecord } from "@localharness/workspace/changes/change-folder";
import { modeOf, type PathState, sameState } from "@localharness/workspace/changes/path-state";
import type { Step } from "./change-history.ts";

export interface Left {
  readonly path: string;
  /** The reason in words, for the line `left alone PATH: REASON`. */
  readonly why: string;
  /** True if a later undo may restore the path, because only its place was in the way. */
  readonly retry?: true;
}

export interface UndoPlan {
  /** The steps, in an order in which they can be executed. */
  readonly steps: readonly Step[];
  /** The paths that cannot be restored. A path that is already restored is neither here nor in `steps`. */
  readonly left: readonly Left[];
}

/**
 * Plans an undo. `now` has the current state of each changed path and of the folders above it, or the reason why its state
 * cannot be read. A folder that is missing above a path that comes back is made.
 */
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
    const why = to === undefined ? whyLeft(state) : whyImpossible(to, state);
    if (why !== undefined) left.push({ path, why });
    else if (to !== undefined && needsStep(state, to)) steps.push({ path, from: state, to });
  }
  const made = new Set(steps.map(({ path }) => path));
  const blocked = ({ path, to }: Step) =>
    to.kind === "absent"
      ? undefined
      : foldersAbove(path).find((one) => !made.has(one) && isOther(now.get(one)));
  const [can, cannot] = [steps.filter((one) => !blocked(one)), steps.filter(blocked)];
  for (const step of cannot)
    left.push({ path: step.path, why: `${blocked(step)} is not a folder now`, retry: true });
  return { steps: inOrder([...can, ...missingFolders(can, now)]), left };
}

function isOther(state: PathState | string | undefined): boolean {
  return typeof state === "object" && state.kind !== "folder" && state.kind !== "absent";
}

/** Returns steps that make the missing folders above paths that come back, unless other steps make them. */
function missingFolders(steps: readonly Step[], now: ReadonlyMap<string, PathState | string>): Step[] {
  const known = new Set(steps.map(({ path }) => path));
  const made: Step[] = [];
  for (const { path, to } of steps) {
    if (to.kind === "absent") continue;
    // A new folder gets the rights of the folder above it.
    let mode = ownerOnly;
    for (const folder of ["", ...foldersAbove(path)]) {
      const from = now.get(folder);
      if (typeof from === "object") mode = modeOf(from) ?? mode;
      if (known.has(folder) || typeof from !== "object" || from.kind !== "absent") continue;
      known.add(folder);
      made.push({ path: folder, from, to: { kind: "folder", mode: mode | ownerOnly } });
    }
  }
  return made;
}

const ownerOnly = 0o700;

/** Returns the paths of the folders above the path, the outermost one first, without the workspace. */
export function foldersAbove(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/")).filter((folder) => folder !== "");
}

/** Returns the reason why `to` cannot be restored; undefined if it can, or if it is there already. */
function whyImpossible(to: PathState, now: PathState): string | undefined {
  if (to === now || sameState(to, now)) return undefined;
  if (to.kind === "file" && to.notKept !== undefined) return whyNotKept[to.notKept];
  return to.kind === "other" ? "it was not a file, folder or link" : undefined;
}

function needsStep(now: PathState, to: PathState): boolean {
  return to !== now && !(sameState(to, now) && modeOf(to) === modeOf(now));
}

/**
 * Follows the changes of a path back from the last one, and returns the state before all of them. Returns undefined if
 * something else has changed the path since. A change whose `before` is the current state was never made or is already
 * undone.
 */
function stateBefore(chain: readonly ChangeRecord[], now: PathState): PathState | undefined {
  let cursor = now;
  // A mode that something else has set since stays.
  let isModeOurs = true;
  for (const { before, after } of chain.toReversed()) {
    if (sameState(cursor, after)) {
      isModeOurs &&= modeOf(cursor) === modeOf(after);
      cursor = isModeOurs || after.kind === "absent" ? before : withMode(before, modeOf(cursor));
    } else if (!sameState(cursor, before)) return undefined;
  }
  return cursor;
}

function withMode(state: PathState, mode: number | undefined): PathState {
  return mode !== undefined && (state.kind === "file" || state.kind === "folder")
    ? { ...state, mode }
    : state;
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
  quota: "its old content did not fit into the space of snapshots",
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
    } else if (sameState(state, from) && !(sameState(from, to) && modeOf(state) === modeOf(to))) continue;
    else if (!sameState(state, to)) left.push({ path, why: "it was changed since" });
    else if (from.kind === "file" && from.notKept !== undefined) {
      left.push({ path, why: whyNotKept[from.notKept] });
    } else steps.push({ path, from: state, to: from });
  }
  return { steps: inOrder(steps), left };
}

/** Tells from the times and sizes of an entry whether it has changed since the last look. */
import type { Stats } from "node:fs";
import { statsAt } from "../paths/stats-at.ts";

/** What changes with every change of an entry. A program can set `mtimeMs`, but not `ctimeMs`. */
export type StatKey = Pick<Stats, "ino" | "size" | "mtimeMs" | "ctimeMs" | "mode">;

export function statKey({ ino, size, mtimeMs, ctimeMs, mode }: StatKey): StatKey {
  return { ino, size, mtimeMs, ctimeMs, mode };
}

export function sameKey(one: StatKey, other: StatKey): boolean {
  return (
    one.ctimeMs === other.ctimeMs &&
    one.mtimeMs === other.mtimeMs &&
    one.size === other.size &&
    one.ino === other.ino &&
    one.mode === other.mode
  );
}

/** Returns what is at the path as `statsAt` does; `hidden` where the system denies the look, as in a folder that a command has closed. */
export function seenAt(path: string): Stats | "hidden" | undefined {
  try {
    return statsAt(path);
  } catch {
    return "hidden";
  }
}

/** The times of a file system may stand still for so long, and a change in that time does not show. */
const clockStepMs = 20;

/** Returns true if a change after `readAt` would show in the times of an entry that had this key then. */
export function isSettled(key: StatKey, readAt: number): boolean {
  return key.ctimeMs < readAt - clockStepMs;
}

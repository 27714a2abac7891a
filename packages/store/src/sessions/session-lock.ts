/** Locks a session, so that only one process writes to its file. A lock whose process has ended is taken over. */
import { constants, rmSync, writeFileSync } from "node:fs";
import { visibleLine } from "@localharness/protocol";
import { readPlainText } from "@localharness/workspace/files/plain-file";
import { withFileLock } from "../kept-file/file-lock.ts";
import { isAlive, type LockHolder, ownHolder, readHolder, whereIs } from "../kept-file/lock-holder.ts";

export interface SessionLock {
  release(): void;
}

/** The content of the lock files that this process holds, by path. */
const held = new Map<string, string>();

/** Locks a new session, which no other process knows yet. Throws the file system's error. */
export function lockNewSession(sessionFile: string): SessionLock {
  return take(`${sessionFile}.lock`);
}

/**
 * Locks a session. Returns undefined if a running process (this one counts too) has it open. Rejects with the file system's
 * error, or with a `HarnessError` if other processes hold the file `.taking` for too long.
 */
export async function lockSession(sessionFile: string): Promise<SessionLock | undefined> {
  const path = `${sessionFile}.lock`;
  return await withFileLock(`${sessionFile}.taking`, async () =>
    holderOf(path) === undefined ? take(path) : undefined,
  );
}

/**
 * Returns where a running process (this one counts too) has the session open, in words that follow "the session is
 * open". Returns undefined if no process has it open.
 */
export function whereOpen(sessionFile: string): string | undefined {
  const path = `${sessionFile}.lock`;
  const holder = holderOf(path);
  if (holder === undefined) return undefined;
  if (whereIs(holder, ownHolder()) !== "elsewhere") return "in another window";
  const host = visibleLine((holder.host ?? "").slice(0, 100));
  return `on ${host}, according to ${path} (remove that file if no program there has the session open)`;
}

function take(path: string): SessionLock {
  const mark = JSON.stringify({ ...ownHolder(), token: `${Date.now()}-${Math.random()}` });
  // The file is removed and then created exclusively, so that nothing is written through a link or into a pipe at this
  // path.
  rmSync(path, { force: true });
  writeFileSync(path, mark, { mode: 0o600, flag: "wx" });
  held.set(path, mark);
  return {
    release() {
      if (held.get(path) !== mark) return;
      held.delete(path);
      try {
        if (textOf(path) === mark) rmSync(path, { force: true });
      } catch {
        // The next process will see in the lock file that this process has ended.
      }
    },
  };
}

/**
 * Returns the holder of the lock; undefined if no running process holds it. A holder on another machine counts as
 * running.
 */
function holderOf(path: string): LockHolder | undefined {
  let text: string;
  try {
    text = textOf(path);
  } catch {
    return undefined;
  }
  const holder = readHolder(text);
  if (holder.pid === undefined) return undefined;
  const where = whereIs(holder, ownHolder());
  if (where === "elsewhere") return holder;
  const lives = holder.pid === process.pid ? held.get(path) === text : isAlive(holder);
  return where === "here" && lives ? holder : undefined;
}

/** Reads the lock file without following a link. */
function textOf(path: string): string {
  return readPlainText(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
}

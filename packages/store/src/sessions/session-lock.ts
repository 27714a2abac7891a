/** Who has a session open: one process at a time writes to its file. The lock of a process that is gone is taken over. */
import { constants, rmSync, writeFileSync } from "node:fs";
import { visibleLine } from "@localharness/protocol";
import { readPlainText } from "@localharness/tools";
import { withFileLock } from "../kept-file/file-lock.ts";
import { isAlive, type LockHolder, ownHolder, readHolder, whereIs } from "../kept-file/lock-holder.ts";

export interface SessionLock {
  release(): void;
}

/** Locks of this process, by path. */
const held = new Map<string, string>();

/** For a session that nobody else can know of yet. Throws what the disk says. */
export function lockNewSession(sessionFile: string): SessionLock {
  return take(`${sessionFile}.lock`);
}

/** Undefined when a process that lives has the session open. Throws what the disk says. */
export async function lockSession(sessionFile: string): Promise<SessionLock | undefined> {
  const path = `${sessionFile}.lock`;
  return await withFileLock(`${sessionFile}.taking`, async () =>
    holderOf(path) === undefined ? take(path) : undefined,
  );
}

/**
 * Where a process that lives, this one included, has the session open, in words that follow "the session is open";
 * undefined when none has.
 */
export function whereOpen(sessionFile: string): string | undefined {
  const path = `${sessionFile}.lock`;
  const holder = holderOf(path);
  if (holder === undefined) return undefined;
  if (whereIs(holder, ownHolder()) !== "elsewhere") return "in another window";
  const host = visibleLine((holder.host ?? "").slice(0, 100));
  return `on ${host}, as ${path} says (remove that file if no program there has it open any more)`;
}

function take(path: string): SessionLock {
  const mark = JSON.stringify({ ...ownHolder(), token: `${Date.now()}-${Math.random()}` });
  // Made anew: through a link or into a pipe that stands there nothing is written.
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
        // Whoever wants it next sees that this process is gone.
      }
    },
  };
}

/** Who holds the lock; undefined when nobody does who lives. */
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

/** Never through a link. */
function textOf(path: string): string {
  return readPlainText(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
}

/** Who has a session open: one process at a time writes to its file. The lock of a process that is gone is taken over. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { withFileLock } from "../kept-file/file-lock.ts";

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
  return await withFileLock(`${sessionFile}.taking`, async () => (isHeld(path) ? undefined : take(path)));
}

/** True when a process that lives, this one included, has the session open. */
export function isOpen(sessionFile: string): boolean {
  return isHeld(`${sessionFile}.lock`);
}

function take(path: string): SessionLock {
  const mark = JSON.stringify({
    pid: process.pid,
    host: hostname(),
    started: startOf(process.pid),
    token: `${Date.now()}-${Math.random()}`,
  });
  writeFileSync(path, mark, { mode: 0o600 });
  held.set(path, mark);
  return {
    release() {
      if (held.get(path) !== mark) return;
      held.delete(path);
      try {
        if (readFileSync(path, "utf8") === mark) rmSync(path, { force: true });
      } catch {
        // Whoever wants it next sees that this process is gone.
      }
    },
  };
}

function isHeld(path: string): boolean {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return false;
  }
  const { pid, host, started } = holderOf(text);
  if (pid === undefined) return false;
  // Of a process elsewhere, on a folder that machines share, nothing is known.
  if (host !== undefined && host !== hostname()) return true;
  if (pid === process.pid) return held.get(path) === text;
  if (!isAlive(pid)) return false;
  return started === undefined || startOf(pid) === undefined || started === startOf(pid);
}

interface Holder {
  readonly pid?: number;
  readonly host?: string;
  readonly started?: string;
}

/** A bare number is a process id, as other programs write it. */
function holderOf(text: string): Holder {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "number") return { pid: value };
    const { pid, host, started } = value as Readonly<Record<string, unknown>>;
    return {
      ...(typeof pid === "number" ? { pid } : {}),
      ...(typeof host === "string" ? { host } : {}),
      ...(typeof started === "string" ? { started } : {}),
    };
  } catch {
    return {};
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/** When a process began, so that another one with the same id is not taken for it; undefined where nobody tells. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

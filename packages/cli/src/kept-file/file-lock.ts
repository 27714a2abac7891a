/** A lock between processes: a file that holds who has it. The lock of a dead process is broken. */

import { link, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { configError } from "../complaints.ts";

export interface LockTimes {
  /** Milliseconds to wait for others. */
  readonly waitMs: number;
  /** Age in milliseconds from which a lock is taken for left behind, whoever holds it. */
  readonly staleMs: number;
}

const usualTimes: LockTimes = { waitMs: 45_000, staleMs: 30_000 };

/** The marks of this process whose locks could not be removed in their time. */
const abandoned = new Set<string>();

/**
 * Runs `work` while `path` is locked. `work` gets a check that is true as long as the lock is still ours: a process that
 * was stopped for long may have lost it. Throws a `HarnessError` when others hold it for longer than `waitMs`.
 */
export async function withFileLock<Result>(
  path: string,
  work: (stillHeld: () => Promise<boolean>) => Promise<Result>,
  times: LockTimes = usualTimes,
): Promise<Result> {
  const mark = JSON.stringify({ pid: process.pid, host: hostname(), token: crypto.randomUUID() });
  const stillHeld = async () => (await holder(path)) === mark;
  try {
    await acquire(path, mark, times);
    await sweepClaims(path, times.staleMs);
    return await work(stillHeld);
  } finally {
    await release(path, mark);
  }
}

/** Never throws: the work is done or has failed, and a lock that stays is broken by the next one who wants it. */
async function release(path: string, mark: string): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      if ((await readFile(path, "utf8")) === mark) await rm(path, { force: true });
      return;
    } catch (error) {
      if (codeOf(error) === "ENOENT") return;
    }
  }
  abandoned.add(mark);
}

async function acquire(path: string, mark: string, times: LockTimes): Promise<void> {
  const claim = `${path}.${process.pid}-${crypto.randomUUID().slice(0, 8)}`;
  const deadline = performance.now() + times.waitMs;
  try {
    await writeFile(claim, mark, { mode: 0o600, flag: "wx" });
    while (!(await claimed(claim, path))) {
      if (performance.now() > deadline) {
        const message = `${path} is held by another process: ${(await holder(path)) ?? "unknown"}. Remove it if that process is gone.`;
        throw configError(message);
      }
      if (!(await breakStale(path, times.staleMs))) await pause(5 + Math.random() * 20);
    }
  } finally {
    // The lock may be ours by now: a claim that stays is swept later.
    await removeQuietly(claim);
  }
}

/** Removes the claims that killed processes left beside the lock. What cannot be removed now is tried again later. */
async function sweepClaims(path: string, staleMs: number): Promise<void> {
  const folder = dirname(path);
  const claims = (await readdir(folder).catch(() => [])).filter(
    (name) => name.startsWith(`${basename(path)}.`) && /\.\d+-[0-9a-f]{8}(\.stale)?$/.test(name),
  );
  for (const name of claims) {
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Math.abs(Date.now() - mtimeMs) > staleMs) await removeQuietly(join(folder, name));
  }
}

function removeQuietly(path: string): Promise<void> {
  return rm(path, { force: true }).catch(() => undefined);
}

/** A link appears whole or not at all, so nobody ever reads a lock without its holder. */
async function claimed(claim: string, path: string): Promise<boolean> {
  try {
    await link(claim, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    if (!["EPERM", "ENOTSUP", "ENOSYS", "EOPNOTSUPP", "EMLINK"].includes(codeOf(error))) throw error;
  }
  // A file system without links: an exclusive create is the next best.
  try {
    await writeFile(path, await readFile(claim), { mode: 0o600, flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Takes a left-behind lock away. True when the lock may be tried again at once. */
async function breakStale(path: string, staleMs: number): Promise<boolean> {
  const seen = await holder(path);
  if (seen === undefined) return true;
  if (!(await isStale(path, seen, staleMs))) return false;
  const aside = `${path}.${process.pid}-${crypto.randomUUID().slice(0, 8)}.stale`;
  try {
    await rename(path, aside);
  } catch {
    return true;
  }
  const moved = await readFile(aside, "utf8").catch(() => "");
  // Another process broke it first and we moved a lock that lives: put it back, unless a new one is there.
  if (moved !== seen) await link(aside, path).catch(() => undefined);
  await removeQuietly(aside);
  return moved === seen;
}

async function isStale(path: string, seen: string, staleMs: number): Promise<boolean> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
  if (Math.abs(Date.now() - mtimeMs) > staleMs) return true;
  try {
    const { pid, host } = JSON.parse(seen) as { pid?: unknown; host?: unknown };
    if (host !== hostname() || typeof pid !== "number") return false;
    return pid === process.pid ? abandoned.has(seen) : !isAlive(pid);
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

async function holder(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A lock between processes: a file that holds who has it. The lock of a dead process is broken. */

import { link, lstat, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { configError } from "@localharness/engine";
import { visibleLine } from "@localharness/protocol";
import { readPlain } from "@localharness/tools";
import { isAlive, ownHolder, readHolder, whereIs } from "./lock-holder.ts";

export interface LockTimes {
  /** Milliseconds to wait for others. */
  readonly waitMs: number;
  /** Age in milliseconds from which a lock is taken for left behind, whoever holds it; a holder that works renews it. */
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
  const mark = JSON.stringify({ ...ownHolder(), token: crypto.randomUUID() });
  const stillHeld = async () => (await markOf(path)) === mark;
  let renewing: NodeJS.Timeout | undefined;
  try {
    await acquire(path, mark, times);
    renewing = setInterval(() => void renew(path, stillHeld), times.staleMs / 3).unref();
    await sweepClaims(path, times.staleMs);
    return await work(stillHeld);
  } finally {
    clearInterval(renewing);
    await release(path, mark);
  }
}

/** Never throws: who cannot renew it learns by `stillHeld` that it is lost. */
async function renew(path: string, stillHeld: () => Promise<boolean>): Promise<void> {
  if (await stillHeld()) await touch(path).catch(() => undefined);
}

function touch(path: string): Promise<void> {
  const now = new Date();
  return utimes(path, now, now);
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
        const message = `${path} is held by ${holderText((await markOf(path)) ?? "")}. Remove it if that process is gone.`;
        throw configError(message);
      }
      if (!(await breakStale(path, times.staleMs))) await pause(5 + Math.random() * 20);
      await keepFresh(claim, mark);
    }
  } finally {
    // The lock may be ours by now: a claim that stays is swept later.
    await removeQuietly(claim);
  }
}

function holderText(mark: string): string {
  const { pid, host } = readHolder(mark);
  return pid === undefined
    ? "another process"
    : `process ${pid}${host === undefined ? "" : ` on ${visibleLine(host)}`}`;
}

/** A claim that waits is not old: else others sweep it, and a lock that is made of it is broken at once. */
async function keepFresh(claim: string, mark: string): Promise<void> {
  try {
    await touch(claim);
  } catch (error) {
    if (codeOf(error) === "ENOENT") await writeFile(claim, mark, { mode: 0o600 });
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
    if (isTakenOrSwept(error)) return false;
    if (!["EPERM", "ENOTSUP", "ENOSYS", "EOPNOTSUPP", "EMLINK"].includes(codeOf(error))) throw error;
  }
  // A file system without links: an exclusive create is the next best.
  try {
    await writeFile(path, await readFile(claim), { mode: 0o600, flag: "wx" });
    return true;
  } catch (error) {
    if (isTakenOrSwept(error)) return false;
    throw error;
  }
}

/** Without the claim, or the folder, it is tried again: to make the claim anew says what is wrong. */
function isTakenOrSwept(error: unknown): boolean {
  return ["EEXIST", "ENOENT"].includes(codeOf(error));
}

/** Takes a left-behind lock away. True when it did: the lock may be tried again at once. */
async function breakStale(path: string, staleMs: number): Promise<boolean> {
  const seen = await look(path);
  if (seen === undefined || !isStale(seen, staleMs)) return false;
  const aside = `${path}.${process.pid}-${crypto.randomUUID().slice(0, 8)}.stale`;
  try {
    await rename(path, aside);
  } catch {
    return false;
  }
  const moved = await look(aside);
  const same = moved?.inode === seen.inode && moved.mark === seen.mark;
  // Another process broke it first and we moved a lock that lives: put it back, unless a new one is there.
  if (!same) await link(aside, path).catch(() => undefined);
  await removeQuietly(aside);
  return same;
}

interface Seen {
  /** Undefined for a lock that may not be read: its age alone tells whether it was left behind. */
  readonly mark: string | undefined;
  readonly inode: number;
  /** Unix milliseconds. */
  readonly time: number;
}

/** Undefined when nothing is there, or nothing can be known. */
async function look(path: string): Promise<Seen | undefined> {
  const mark = await markOf(path);
  const stats = await lstat(path).catch(() => undefined);
  return stats && { mark, inode: stats.ino, time: stats.mtimeMs };
}

function isStale({ mark, time }: Seen, staleMs: number): boolean {
  if (Math.abs(Date.now() - time) > staleMs) return true;
  const holder = readHolder(mark ?? "");
  if (holder.pid === undefined) return false;
  switch (whereIs(holder, ownHolder())) {
    case "gone":
      return true;
    case "elsewhere":
      return false;
    case "here":
      return holder.pid === process.pid ? abandoned.has(mark ?? "") : !isAlive(holder);
  }
}

async function markOf(path: string): Promise<string | undefined> {
  return readPlain(path).then(String, () => undefined);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

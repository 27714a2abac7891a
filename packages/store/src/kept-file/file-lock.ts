/** Locks a path between processes with a file that names its holder. A lock whose process has ended is removed. */
import { link, lstat, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { configError } from "@localharness/engine";
import { reasonOf, visibleLine } from "@localharness/protocol";
import { readPlain } from "@localharness/tools";
import { isAlive, ownHolder, readHolder, whereIs } from "./lock-holder.ts";

export interface LockTimes {
  /** The maximum time to wait for another holder, in milliseconds. */
  readonly waitMs: number;
  /**
   * The age in milliseconds above which a lock counts as abandoned, whoever holds it. A running holder renews its lock.
   */
  readonly staleMs: number;
}

const defaultTimes: LockTimes = { waitMs: 45_000, staleMs: 30_000 };

/** The marks of locks of this process that could not be removed on release. */
const abandoned = new Set<string>();

/**
 * Runs `work` while `path` is locked, and returns its result. `work` gets the function `stillHeld`, which resolves to
 * false if this process was suspended for so long that it lost the lock, and rejects with a `HarnessError` if the lock
 * cannot be read. Rejects with a `HarnessError` if others hold the lock for longer than `waitMs`, and with the system's
 * error if the lock cannot be written.
 */
export async function withFileLock<Result>(
  path: string,
  work: (stillHeld: () => Promise<boolean>) => Promise<Result>,
  times: LockTimes = defaultTimes,
): Promise<Result> {
  const mark = JSON.stringify({ ...ownHolder(), token: crypto.randomUUID() });
  const stillHeld = () => isMarked(path, mark);
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

/**
 * Returns true if the lock has this mark, and false if it has another mark or is gone. Rejects with a `HarnessError` if the
 * lock cannot be read.
 */
async function isMarked(path: string, mark: string): Promise<boolean> {
  try {
    return String(await readPlain(path)) === mark;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw configError(`${path} cannot be read: ${reasonOf(error)}`, error);
  }
}

/**
 * Renews the time of the lock if it is still held. Never rejects, because `stillHeld` tells the holder if the lock is
 * lost.
 */
async function renew(path: string, stillHeld: () => Promise<boolean>): Promise<void> {
  if (await stillHeld().catch(() => false)) await touch(path).catch(() => undefined);
}

function touch(path: string): Promise<void> {
  const now = new Date();
  return utimes(path, now, now);
}

/**
 * Removes the lock if it has this mark. Never rejects, because the work has already ended: a lock that cannot be removed
 * counts as abandoned, for other processes when it is older than `staleMs` or this process has ended.
 */
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
      // If an abandoned lock was removed, the claim is tried again at once, even after the deadline.
      if (!(await breakStale(path, times.staleMs))) {
        if (performance.now() > deadline) {
          const message = `${path} is held by ${holderText((await markOf(path)) ?? "")}. Remove it if that process is gone.`;
          throw configError(message);
        }
        await pause(5 + Math.random() * 20);
      }
      await keepFresh(claim, mark);
    }
  } finally {
    // This must not fail, because the lock may already be held. A claim file that cannot be removed is swept later.
    await removeQuietly(claim);
  }
}

function holderText(mark: string): string {
  const { pid, host } = readHolder(mark);
  return pid === undefined
    ? "another process"
    : `process ${pid}${host === undefined ? "" : ` on ${visibleLine(host)}`}`;
}

/**
 * Renews the time of a waiting claim, and writes the claim again if it is gone. Without that, other processes would
 * remove the claim, and a lock made from it would count as abandoned at once.
 */
async function keepFresh(claim: string, mark: string): Promise<void> {
  try {
    await touch(claim);
  } catch (error) {
    if (codeOf(error) === "ENOENT") await writeFile(claim, mark, { mode: 0o600 });
  }
}

/**
 * Removes the claim files that killed processes left beside the lock. A later sweep retries the files that cannot be
 * removed.
 */
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

/**
 * Makes the lock from the claim. Returns false if the lock is taken, or if the claim or its folder is gone. Uses a
 * link, which is atomic, so that no process reads a lock without its holder.
 */
async function claimed(claim: string, path: string): Promise<boolean> {
  try {
    await link(claim, path);
    return true;
  } catch (error) {
    if (isTakenOrSwept(error)) return false;
    if (!["EPERM", "ENOTSUP", "ENOSYS", "EOPNOTSUPP", "EMLINK"].includes(codeOf(error))) throw error;
  }
  // On a file system without hard links, the file is created exclusively instead.
  try {
    await writeFile(path, await readFile(claim), { mode: 0o600, flag: "wx" });
    return true;
  } catch (error) {
    if (isTakenOrSwept(error)) return false;
    throw error;
  }
}

/**
 * Returns true if another attempt makes sense, because the lock is taken, or the claim or its folder is gone. The next
 * attempt writes the claim again, and throws if the folder cannot be written.
 */
function isTakenOrSwept(error: unknown): boolean {
  return ["EEXIST", "ENOENT"].includes(codeOf(error));
}

/** Removes an abandoned lock. Returns true if it was removed; the caller may then try again at once. */
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
  // Another process removed the abandoned lock first, so a valid lock was moved. It is put back, unless there is
  // already a new lock.
  if (!same) await link(aside, path).catch(() => undefined);
  await removeQuietly(aside);
  return same;
}

interface Seen {
  /**
   * The mark of the holder; undefined if the lock cannot be read. In that case only the lock's age decides whether it
   * is abandoned.
   */
  readonly mark: string | undefined;
  readonly inode: number;
  /** The time of the last renewal, in Unix milliseconds. */
  readonly time: number;
}

/** Reads a lock file. Returns undefined if the file is missing or its metadata cannot be read. */
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

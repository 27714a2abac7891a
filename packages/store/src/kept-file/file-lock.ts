/** Locks a path between processes with a file that names its holder. A lock whose process has ended is removed. */
import { link, lstat, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { configError } from "@localharness/engine";
import { reasonOf, visibleLine } from "@localharness/protocol";
import { readPlain } from "@localharness/workspace/files/plain-file";
import { isAlive, ownHolder, readHolder, whereIs } from "./lock-holder.ts";

export interface LockTimes {
  /**
   * The maximum sum of the pauses while one process holds the lock, in milliseconds. It begins again with each new holder, so
   * that a process that many others compete with waits as long as the lock changes hands.
   */
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
 * cannot be read. Rejects with a `HarnessError` if another process holds the lock for longer than `waitMs`, and with the
 * system's error if the lock cannot be written.
 */
export async function withFileLock<Result>(
  path: string,
  work: (stillHeld: () => Promise<boolean>) => Promise<Result>,
  times: LockTimes = defaultTimes,
): Promise<Result> {
  const mark = newMark();
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

/** Returns the text of a new lock of this process, which no other lock has. */
function newMark(): string {
  return JSON.stringify({ ...ownHolder(), token: crypto.randomUUID() });
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
  const patience = createPatience(path, times.waitMs);
  try {
    await writeFile(claim, mark, { mode: 0o600, flag: "wx" });
    while (!(await claimed(claim, path))) {
      // If an abandoned lock was removed, the claim is tried again at once, even if the time is up.
      if (!(await breakStale(path, times.staleMs))) await patience.wait(await markOf(path));
      await keepFresh(claim, mark);
    }
  } finally {
    // This must not fail, because the lock may already be held. A claim file that cannot be removed is swept later.
    await removeQuietly(claim);
  }
}

interface Patience {
  /**
   * Waits a moment before the next attempt. Throws a `HarnessError` if the process that `mark` names has held the lock for too
   * long.
   */
  wait(mark: string | undefined): Promise<void>;
}

function createPatience(path: string, waitMs: number): Patience {
  let left = waitMs;
  let seen: string | undefined;
  return {
    async wait(mark) {
      if (mark !== seen) left = waitMs;
      seen = mark;
      if (left <= 0) {
        throw configError(`${path} is held by ${holderText(mark ?? "")}. Remove it if that process is gone.`);
      }
      const ms = 5 + Math.random() * 20;
      // Only the pauses count. A clock would also count the time in which a busy machine runs neither this process nor the
      // holder.
      left -= ms;
      await pause(ms);
    },
  };
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
 * Removes the files that killed processes left beside the lock. A later sweep retries the files that cannot be removed.
 */
async function sweepClaims(path: string, staleMs: number): Promise<void> {
  const folder = dirname(path);
  const names: readonly string[] = await readdir(folder).catch(() => []);
  if (names.includes(`${basename(path)}${breakingEnd}`)) await breakStale(`${path}${breakingEnd}`, staleMs);
  const claims = names.filter(
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

/**
 * Removes an abandoned lock. Returns true if it was removed; the caller may then try again at once. Returns false if another process
 * is about to remove it.
 */
async function breakStale(path: string, staleMs: number): Promise<boolean> {
  const seen = await look(path);
  if (seen === undefined || !isStale(seen, staleMs)) return false;
  // Two processes that have seen the same abandoned lock must not both move what is at the path: the second one would move the lock
  // that somebody has made since.
  const breaking = `${path}${breakingEnd}`;
  const mark = newMark();
  try {
    await writeFile(breaking, mark, { mode: 0o600, flag: "wx" });
  } catch (error) {
    // The process that was about to remove the lock may have ended.
    return codeOf(error) === "EEXIST" && (await breakStale(breaking, staleMs));
  }
  try {
    return await moveSeen(path, seen, staleMs);
  } finally {
    await release(breaking, mark);
  }
}

/** The end of the name of the file with which a process keeps others from breaking the same lock. */
const breakingEnd = ".breaking";

/** Removes the abandoned lock that was seen. Returns false, and leaves what is at the path, if that is another one by now. */
async function moveSeen(path: string, seen: Seen, staleMs: number): Promise<boolean> {
  // The holder may have released the lock and ended after it was read, and the lock may be another process's by now; or it was only
  // suspended, and has renewed the lock. If the lock is still abandoned, nobody releases it, and nobody else breaks it.
  const now = await look(path);
  if (now === undefined || !isSame(now, seen) || !isStale(now, staleMs)) return false;
  const aside = `${path}.${process.pid}-${crypto.randomUUID().slice(0, 8)}.stale`;
  try {
    await rename(path, aside);
  } catch {
    return false;
  }
  const same = isSame(await look(aside), seen);
  // A suspended holder went on and released its old lock, so a valid lock was moved. It is put back, unless there is already a new
  // lock.
  if (!same) await link(aside, path).catch(() => undefined);
  await removeQuietly(aside);
  return same;
}

function isSame(one: Seen | undefined, other: Seen): boolean {
  return one?.inode === other.inode && one.mark === other.mark;
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

/**
 * Appends to the audit log of a workspace: one JSON line for each call with its decision, each answer, each hook and
 * each result. Several processes may write to one log. A full file is rotated: it is renamed, and a new file begins.
 */
import { hash } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  mkdirSync,
  readSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AuditEntry, AuditLog } from "@localharness/engine";
import { configError } from "@localharness/engine";
import { countText, reasonOf } from "@localharness/protocol";
import { workspaceName } from "@localharness/workspace/changes/change-folder";
import { openPlain } from "@localharness/workspace/files/plain-file";
import { withFileLock } from "../kept-file/file-lock.ts";

/** A file is rotated before an entry would make it longer than this, in bytes. */
const fileLimit = 8 * 1024 * 1024;
/** The number of full files that are kept. */
const keptFiles = 4;

export interface AuditFile extends AuditLog {
  close(): Promise<void>;
}

/** Returns the path of a workspace's log in the state folder. */
export function auditPath(stateFolder: string, workspace: string): string {
  return join(stateFolder, "audit", `${workspaceName(workspace)}.jsonl`);
}

/** Returns the paths of all files of a log, from the oldest to the current one. Some of them may not exist. */
export function auditFiles(path: string): readonly string[] {
  return [...Array.from({ length: keptFiles }, (_, index) => `${path}.${keptFiles - index}`), path];
}

/**
 * Returns an audit log whose file is opened when the first entry is appended. `append` resolves when the operating system
 * has taken the entry, and rejects with a `HarnessError` if that fails. `append` writes synchronously, because passing the
 * work to another thread would take longer than the write itself.
 */
export function openAuditFile(path: string, limits = { fileLimit }): AuditFile {
  let file: number | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const close = () => {
    if (file !== undefined) closeQuietly(file);
    file = undefined;
  };
  const write = async (line: Buffer): Promise<void> => {
    try {
      let log = current(path, file);
      file = log.file;
      if (log.size + line.length > limits.fileLimit) {
        await rotate(path, limits.fileLimit);
        log = current(path, file);
        file = log.file;
      }
      const written = writeSync(file, line);
      if (written !== line.length) {
        throw new Error(`only ${written} of ${countText(line.length, "byte")} were written`);
      }
    } catch (error) {
      close();
      throw configError(`${path} cannot be written: ${reasonOf(error)}`, error);
    }
  };
  return {
    append(entry: AuditEntry) {
      const line = Buffer.from(`${JSON.stringify(entry)}\n`);
      const written = last.then(() => write(line));
      last = written.catch(() => undefined);
      return written;
    },
    sha256: (text) => hash("sha256", text),
    async close() {
      await last;
      close();
    },
  };
}

interface OpenLog {
  readonly file: number;
  readonly size: number;
}

/** Returns the open log. Opens it if `held` is undefined, or if another process has rotated it. */
function current(path: string, held: number | undefined): OpenLog {
  if (held === undefined) return openLog(path);
  const mine = fstatSync(held);
  const now = statsOf(path);
  const isSame = now !== undefined && now.ino === mine.ino && now.dev === mine.dev;
  if (isSame) return { file: held, size: mine.size };
  const opened = openLog(path);
  closeQuietly(held);
  return opened;
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function openLog(path: string): OpenLog {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const flags = constants.O_APPEND | constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const file = openPlain(path, flags, 0o600);
  try {
    const { mode, size } = fstatSync(file);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) fchmodSync(file, 0o600);
    if (size > 0 && !endsWithLineFeed(file, size)) writeSync(file, "\n");
    return { file, size };
  } catch (error) {
    closeQuietly(file);
    throw error;
  }
}

/**
 * Returns true if the file ends with a line feed. After a crash or on a full disk, the last entry may lack its line
 * feed.
 */
function endsWithLineFeed(file: number, size: number): boolean {
  const end = Buffer.alloc(1);
  readSync(file, end, 0, 1, size - 1);
  return end[0] === 10;
}

/** Closes the file. The operating system already has every entry. */
function closeQuietly(file: number): void {
  try {
    closeSync(file);
  } catch {
    // A second close would not help, because the descriptor's number may already belong to another file.
  }
}

async function rotate(path: string, limit: number): Promise<void> {
  await withFileLock(`${path}.lock`, async () => {
    const size = await sizeOf(path);
    // Another process may have rotated the log meanwhile, and may not have begun the new file.
    if (size === undefined || size < limit / 2) return;
    // Each file gets the next number, up to the first free number. This also completes an interrupted rotation without
    // losing a file.
    const [current = path, ...older] = auditFiles(path).toReversed();
    const free = (await Promise.all(older.map(sizeOf))).indexOf(undefined);
    const names = [current, ...older.slice(0, free < 0 ? older.length : free + 1)];
    for (let to = names.length - 1; to > 0; to -= 1) {
      const [from, onto] = [names[to - 1], names[to]];
      // If all names are in use, the rename replaces the oldest file.
      if (from !== undefined && onto !== undefined) await rename(from, onto).catch(missingIsFine);
    }
  });
}

/** Returns the size of the file in bytes; undefined if there is none. */
async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(missingIsFine))?.size;
}

/** Returns undefined for the error of a missing file, and throws any other error. */
function missingIsFine(error: unknown): undefined {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
}

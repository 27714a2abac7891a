/**
 * Appends to the audit log of a workspace: one JSON line for each call with its decision, each answer, hook and result.
 * Several processes may write to one log. A full file is rotated: it is renamed and a new one begins.
 */
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AuditEntry, AuditLog } from "@localharness/engine";
import { configError } from "@localharness/engine";
import { reasonOf } from "@localharness/protocol";
import { requirePlain, withoutWaiting, workspaceName } from "@localharness/tools";
import { withFileLock } from "../kept-file/file-lock.ts";

/** The maximum size of one file, in bytes. */
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

/** Returns the paths of all files of a log, the oldest first, the current one last. Some may not exist. */
export function auditFiles(path: string): readonly string[] {
  return [...Array.from({ length: keptFiles }, (_, index) => `${path}.${keptFiles - index}`), path];
}

/**
 * Opens a log at its first entry. `append` resolves when the operating system has taken the entry, and rejects with a
 * `HarnessError` when it has not.
 */
export function openAuditFile(path: string, limits = { fileLimit }): AuditFile {
  let file: FileHandle | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const write = async (line: Buffer): Promise<void> => {
    try {
      file = await current(path, file);
      if ((await file.stat()).size + line.length > limits.fileLimit) {
        await rotate(path, limits.fileLimit);
        file = await current(path, file);
      }
      const { bytesWritten } = await file.write(line);
      if (bytesWritten !== line.length) {
        throw new Error(`only ${bytesWritten} of ${line.length} bytes were written`);
      }
    } catch (error) {
      await file?.close().catch(() => undefined);
      file = undefined;
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
    async close() {
      await last;
      await file?.close().catch(() => undefined);
      file = undefined;
    },
  };
}

/** Returns the open log; opens it again when another process has rotated it. */
async function current(path: string, held: FileHandle | undefined): Promise<FileHandle> {
  if (held !== undefined) {
    const [mine, now] = await Promise.all([held.stat(), stat(path).catch(() => undefined)]);
    if (now !== undefined && now.ino === mine.ino && now.dev === mine.dev) return held;
    await held.close();
  }
  return openLog(path);
}

async function openLog(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const flags = constants.O_APPEND | constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const file = await open(path, withoutWaiting(flags), 0o600);
  try {
    const stats = await file.stat();
    const { mode, size } = stats;
    requirePlain(stats);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) await file.chmod(0o600);
    if (size > 0 && !(await endsWithLineFeed(file, size))) await file.write("\n");
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Returns true if the file ends with a line feed. After a crash or on a full disk, the last entry may be incomplete. */
async function endsWithLineFeed(file: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === 10;
}

async function rotate(path: string, limit: number): Promise<void> {
  await withFileLock(`${path}.lock`, async () => {
    const { size } = await stat(path);
    // Another process may have rotated it meanwhile.
    if (size < limit / 2) return;
    // Files move up as far as the first free name, so that an interrupted rotation is completed and loses nothing.
    const [current = path, ...older] = auditFiles(path).toReversed();
    const used = await Promise.all(older.map(exists));
    const free = used.indexOf(false);
    const names = [current, ...older.slice(0, free < 0 ? older.length : free + 1)];
    for (let to = names.length - 1; to > 0; to -= 1) {
      const [from, onto] = [names[to - 1], names[to]];
      // When all names are in use, the rename replaces the oldest file.
      if (from !== undefined && onto !== undefined) await rename(from, onto).catch(missingIsFine);
    }
  });
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => {
      missingIsFine(error);
      return false;
    },
  );
}

function missingIsFine(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
}

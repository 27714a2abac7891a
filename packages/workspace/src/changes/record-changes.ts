/** Keeps the old content of a path and writes the change to the session's log before the change happens. */

import { closeSync, readdirSync } from "node:fs";
import type { CallMark } from "@localharness/engine";
import { defined } from "@localharness/protocol";
import { errorCode } from "../outcome.ts";
import type { Entry } from "../paths/handles.ts";
import { statsAt } from "../paths/stats-at.ts";
import type { Workspace } from "../paths/workspace.ts";
import {
  appendLines,
  type CallRecord,
  type ChangeRecord,
  changesRoot,
  keepContent,
  type MissedRecord,
  sessionChanges,
} from "./change-folder.ts";
import type { ChangedPath, ChangeRecorder, KeepRoom, TurnUse } from "./changes.ts";
import { maxTurnBytes, megabytes, whySecret } from "./keep-limits.ts";
import { keepWithin } from "./keep-within.ts";
import {
  absent,
  fileState,
  holdDescriptor,
  type NotKept,
  type PathState,
  readState,
  sameState,
} from "./path-state.ts";

export interface ChangesOptions extends Omit<KeepRoom, "use"> {
  readonly stateFolder: string;
  /** The real path of the workspace. */
  readonly workspace: string;
  /** Returns the real path of the added folder that has a physical path; undefined for a path of the workspace. */
  folderOf?(path: string): string | undefined;
  /** Called with the path of each file before a tool writes it, and of each entry before a tool removes it. */
  note?(path: string): void;
}

interface SizeCheck {
  /** The number of bytes that this process has kept since its last check of the total size. */
  since: number;
  running: boolean;
}

const sizeChecks = new Map<string, SizeCheck>();
/** The total size is checked each time 1/16 of its limit has been written since the last check. */
const checksPerLimit = 16;

/** A call, and whether its words are in the log. */
export interface LoggedCall {
  readonly words: string | undefined;
  logged: boolean;
}

interface Job {
  readonly options: ChangesOptions;
  readonly turn: CallMark;
  readonly use: TurnUse;
  readonly notes: string[];
  readonly folder: string;
}

/**
 * Returns the recorder of one turn. Its functions never reject. They add a note to `notes` for a change that cannot be undone.
 */
export function recorderOf(
  options: ChangesOptions,
  turn: CallMark,
  use: TurnUse,
  notes: string[],
  call: LoggedCall = { words: undefined, logged: false },
): ChangeRecorder {
  const folder = sessionChanges(options.stateFolder, options.workspace, turn.sessionId);
  const job: Job = { options, turn, use, notes, folder };
  const guarded = async (path: string, work: () => Promise<readonly object[]>) => {
    try {
      const lines = withoutKeys(job, await work());
      if (lines.length === 0) return;
      await appendLines(folder, [...callLine(job, call), ...lines]);
      call.logged = true;
    } catch (error) {
      notes.push(`the change of "${path}" cannot be undone: nothing can be kept (${reason(error)})`);
    }
  };
  return {
    writing: (entry, bytes) => guarded(entry.path, () => recordWrite(job, entry, bytes)),
    makingFolders: (workspace, path, itself) =>
      guarded(path, async () => missingFolders(job, workspace, path, itself)),
    removing: (entry) => guarded(entry.path, () => recordRemoval(job, entry)),
    changed: (changes, missed) => guarded("the workspace", () => recordChanged(job, changes, missed)),
  };
}

/** Returns the line that names the call; none if the log has it, or if a key is in it. */
function callLine({ options, turn }: Job, { words, logged }: LoggedCall): readonly CallRecord[] {
  if (words === undefined || logged) return [];
  const isSecret = options.secrets.some((secret) => secret.length >= shortestKey && words.includes(secret));
  return isSecret ? [] : [{ v: 1, type: "call", turn: turn.turnId, words }];
}

/** Replaces each record that contains a key, as its path may, so that no key is in the log. Undo lacks that change. */
function withoutKeys(job: Job, lines: readonly object[]): readonly object[] {
  const secrets = job.options.secrets
    .filter(({ length }) => length >= shortestKey)
    .map((secret) => JSON.stringify(secret).slice(1, -1));
  return lines.map((line) => {
    const text = secrets.length === 0 ? "" : JSON.stringify(line);
    return secrets.some((secret) => text.includes(secret)) ? missed(job, "", keyInName) : line;
  });
}

/** The minimum length of a secret that is searched for. A shorter secret may be an ordinary word. */
const shortestKey = 6;
const keyInName = "a change of a file with one of your keys in its name";

async function recordWrite(job: Job, entry: Entry, bytes: Uint8Array): Promise<readonly object[]> {
  const before = await kept(job, entry.path, entry.directory.at(entry.name));
  // A write keeps the mode of a file that exists.
  const after = await fileState(bytes, before.kind === "file" ? before.mode : 0o666);
  return sameState(before, after) ? [] : [record(job, entry.path, before, after)];
}

function missingFolders(job: Job, workspace: Workspace, path: string, itself: boolean): readonly object[] {
  const place = workspace.locate(path);
  if (!place.ok || place.value.stats !== undefined) return [];
  const names = place.value.path.split("/");
  const paths = names.map((_, index) => names.slice(0, index + 1).join("/"));
  return (itself ? paths : paths.slice(0, -1))
    .filter((above) => {
      const there = workspace.locate(above);
      return there.ok && there.value.stats === undefined;
    })
    .map((above) => record(job, above, absent, { kind: "folder", mode: 0o777 }));
}

const entriesAtOnce = 20;

async function recordRemoval(job: Job, entry: Entry): Promise<readonly object[]> {
  const records: object[] = [];
  const limit = job.options.limits.turnEntries;
  const walk = async (path: string, at: string): Promise<void> => {
    if (job.use.entries >= limit) return;
    if (records.length % entriesAtOnce === entriesAtOnce - 1) {
      // Other work can run between the steps of a large removal.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const before = await kept(job, path, at);
    records.push(record(job, path, before, absent));
    if (before.kind !== "folder") return;
    try {
      await withFolder(at, async (base) => {
        for (const name of readdirSync(base)) {
          await walk(`${path}/${name}`, `${base}/${name}`);
        }
      });
    } catch (error) {
      job.notes.push(`what is in "${path}" cannot be restored: ${reason(error)}`);
    }
  };
  await walk(entry.path, entry.directory.at(entry.name));
  if (job.use.entries >= limit) {
    const why = `more than ${limit} files and folders were changed in one turn: the rest of "${entry.path}" is not kept`;
    job.notes.push(why);
    records.push(missed(job, entry.path, why));
  }
  return records;
}

/**
 * Calls `work` with the folder's path. On Linux this is the path of the open folder, so that no other folder can take its
 * place.
 */
async function withFolder(path: string, work: (base: string) => Promise<void>): Promise<void> {
  const descriptor = holdDescriptor(path);
  try {
    await work(descriptor === undefined ? path : `/proc/self/fd/${descriptor}`);
  } finally {
    if (descriptor !== undefined) {
      closeSync(descriptor);
    }
  }
}

async function recordChanged(
  job: Job,
  changes: readonly ChangedPath[],
  notRecorded: readonly string[],
): Promise<readonly object[]> {
  const records: object[] = notRecorded.map((why) => missed(job, ".", why));
  const { turnEntries } = job.options.limits;
  for (const [at, { path, before, after, content }] of changes.entries()) {
    if (job.use.entries >= turnEntries) {
      const why = `more than ${turnEntries} files and folders were changed in one turn: ${changes.length - at} of them are not recorded`;
      job.notes.push(why);
      return [...records, missed(job, path, why)];
    }
    if (at % entriesAtOnce === entriesAtOnce - 1) await new Promise((resolve) => setImmediate(resolve));
    records.push(record(job, path, await exported(job, path, before, content), after));
  }
  return records;
}

/** Returns the state before a command. Keeps the content, if it fits the limits. */
async function exported(
  job: Job,
  path: string,
  state: PathState,
  content: () => Buffer | undefined,
): Promise<PathState> {
  if (state.kind !== "file" || state.notKept !== undefined) return state;
  const bytes = content();
  return bytes === undefined ? { ...state, notKept: "quota" } : await keepBytes(job, path, state, bytes);
}

function record(job: Job, path: string, before: PathState, after: PathState): ChangeRecord {
  job.use.entries += 1;
  const folder = defined({ folder: job.options.folderOf?.(path) });
  return { v: 1, type: "change", turn: job.turn.turnId, time: Date.now(), path, ...folder, before, after };
}

function missed(job: Job, path: string, why: string): MissedRecord {
  return { v: 1, type: "missed", turn: job.turn.turnId, time: Date.now(), path, why };
}

/** Returns the state of `at`. Keeps its content first, if that is allowed and fits the limits. */
async function kept(job: Job, path: string, at: string): Promise<PathState> {
  const { limits } = job.options;
  const stats = statsAt(at);
  const { state, bytes } = await readState(at, limits.fileBytes, stats);
  if (state.kind !== "file") return state;
  if (bytes === undefined) {
    return state.notKept === "size"
      ? notKeeping(job, path, state, "size", `it has more than ${megabytes(limits.fileBytes)}`)
      : notKeeping(job, path, state, "unreadable", "it could not be read");
  }
  const secret = whySecret(path, bytes, job.options.secrets, job.options.workspace);
  if (secret !== undefined) return notKeeping(job, path, state, "secret", secret);
  return await keepBytes(job, path, state, bytes);
}

type FileState = PathState & { readonly kind: "file" };

function notKeeping(job: Job, path: string, state: FileState, notKept: NotKept, why: string): PathState {
  job.notes.push(`the old content of "${path}" is not kept for undo: ${why}`);
  return { ...state, notKept };
}

/** Keeps a content in the session's folder, if it fits the limits. */
async function keepBytes(job: Job, path: string, state: FileState, bytes: Buffer): Promise<PathState> {
  const not = (notKept: NotKept, why: string) => notKeeping(job, path, state, notKept, why);
  const turnBytes = maxTurnBytes(job.options.limits);
  if (job.use.bytes + bytes.length > turnBytes) {
    return not("turn", `more than ${megabytes(turnBytes)} would be replaced in this turn`);
  }
  try {
    await keepContent(job.folder, state.hash, bytes);
  } catch (error) {
    return not("disk", reason(error));
  }
  job.use.bytes += bytes.length;
  checkTotalSize(job, bytes.length);
  return state;
}

/** Starts a check of the total size if it is due. The change does not wait for it, because there may be many files. */
function checkTotalSize(job: Job, bytes: number): void {
  const { options, folder } = job;
  const root = changesRoot(options.stateFolder);
  const { totalBytes } = options.limits;
  const check = sizeChecks.get(root) ?? { since: totalBytes, running: false };
  sizeChecks.set(root, check);
  check.since += bytes;
  if (check.running || check.since < totalBytes / checksPerLimit) return;
  check.since = 0;
  check.running = true;
  void keepWithin(root, totalBytes, folder).finally(() => {
    check.running = false;
    checkTotalSize(job, 0);
  });
}

function reason(error: unknown): string {
  const code = errorCode(error);
  return code === "UNKNOWN" && error instanceof Error ? error.message : code;
}

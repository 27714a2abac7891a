/** What stands at a path is kept, and the change is written to the log of its session, before it happens. */
import { closeSync, lstatSync, readdirSync } from "node:fs";
import type { ToolContext } from "@localharness/engine";
import { errorCode } from "../outcome.ts";
import type { Entry } from "../workspace/handles.ts";
import type { Workspace } from "../workspace/workspace.ts";
import {
  appendLines,
  type ChangeRecord,
  changesRoot,
  keepContent,
  type MissedRecord,
  sessionChanges,
} from "./change-folder.ts";
import type { Changes, ChangesOptions, TurnUse } from "./changes.ts";
import { filledTo, keepWithin } from "./keep-within.ts";
import { absent, fileState, holdDescriptor, lookAt, type PathState, sameState } from "./path-state.ts";
import { whySecret } from "./why-secret.ts";

type TurnMark = NonNullable<ToolContext["turn"]>;
type Recorder = Pick<Changes, "writing" | "makingFolders" | "removing">;

interface Look {
  /** Bytes that this process has kept since it last looked at the size of all. */
  since: number;
  running: boolean;
}

const looks = new Map<string, Look>();
/** How much of the whole may be written between two looks. */
const lookEvery = 16;

interface Job {
  readonly options: ChangesOptions;
  readonly turn: TurnMark;
  readonly use: TurnUse;
  readonly notes: string[];
  readonly folder: string;
}

/** Functions that never reject: what cannot be kept is in `notes`. */
export function recorderOf(options: ChangesOptions, turn: TurnMark, use: TurnUse, notes: string[]): Recorder {
  const folder = sessionChanges(options.stateFolder, options.workspace, turn.sessionId);
  const job: Job = { options, turn, use, notes, folder };
  const guarded = async (path: string, work: () => Promise<readonly object[]>) => {
    try {
      const lines = withoutKeys(job, await work());
      if (lines.length > 0) {
        await appendLines(folder, lines);
      }
    } catch (error) {
      notes.push(`the change of "${path}" cannot be undone: nothing can be kept (${reason(error)})`);
    }
  };
  return {
    writing: (entry, bytes) => guarded(entry.path, () => recordWrite(job, entry, bytes)),
    makingFolders: (workspace, path, itself) =>
      guarded(path, async () => missingFolders(job, workspace, path, itself)),
    removing: (entry) => guarded(entry.path, () => recordRemoval(job, entry)),
  };
}

/** A key in a name would stand in the log: undo does without that change. */
function withoutKeys(job: Job, lines: readonly object[]): readonly object[] {
  const secrets = job.options.secrets
    .filter(({ length }) => length >= shortestKey)
    .map((secret) => JSON.stringify(secret).slice(1, -1));
  return lines.map((line) => {
    const text = secrets.length === 0 ? "" : JSON.stringify(line);
    return secrets.some((secret) => text.includes(secret)) ? missed(job, "", keyInName) : line;
  });
}

/** As everywhere else: what is shorter may be any word. */
const shortestKey = 6;
const keyInName = "a change of a file with one of your keys in its name";

async function recordWrite(job: Job, entry: Entry, bytes: Uint8Array): Promise<readonly object[]> {
  const before = await kept(job, entry.path, entry.directory.at(entry.name));
  const after = await fileState(bytes, 0o666);
  return sameState(before, after) ? [] : [record(job, entry.path, before, after)];
}

function missingFolders(job: Job, workspace: Workspace, path: string, itself: boolean): readonly object[] {
  const place = workspace.locate(path);
  if (!place.ok || place.value.stats !== undefined) {
    return [];
  }
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
    if (job.use.entries >= limit) {
      return;
    }
    if (records.length % entriesAtOnce === entriesAtOnce - 1) {
      // Others get their turn.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const before = await kept(job, path, at);
    records.push(record(job, path, before, absent));
    if (before.kind !== "folder") {
      return;
    }
    try {
      await withFolder(at, async (base) => {
        for (const name of readdirSync(base)) {
          await walk(`${path}/${name}`, `${base}/${name}`);
        }
      });
    } catch (error) {
      job.notes.push(`what is in "${path}" cannot be put back: ${reason(error)}`);
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

/** On Linux with a path of the open folder, which stays the same when someone exchanges the name. */
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

function record(job: Job, path: string, before: PathState, after: PathState): ChangeRecord {
  job.use.entries += 1;
  return { v: 1, type: "change", turn: job.turn.turnId, time: Date.now(), path, before, after };
}

function missed(job: Job, path: string, why: string): MissedRecord {
  return { v: 1, type: "missed", turn: job.turn.turnId, time: Date.now(), path, why };
}

/** What is at `at`, with its content kept where it may be. */
async function kept(job: Job, path: string, at: string): Promise<PathState> {
  const { limits } = job.options;
  const stats = lstatSync(at, { throwIfNoEntry: false });
  const { state, bytes } = await lookAt(at, limits.fileBytes, stats);
  if (state.kind !== "file") {
    return state;
  }
  const not = (notKept: NonNullable<typeof state.notKept>, why: string): PathState => {
    job.notes.push(`the old content of "${path}" is not kept for undo: ${why}`);
    return { ...state, notKept };
  };
  if (bytes === undefined) {
    return state.notKept === "size"
      ? not("size", `it has more than ${megabytes(limits.fileBytes)}`)
      : not("unreadable", "it could not be read");
  }
  const secret = whySecret(path, bytes, job.options.secrets);
  if (secret !== undefined) {
    return not("secret", secret);
  }
  // No more than the room that is made for it: what a turn keeps must not push out what it has kept before.
  const turnBytes = Math.min(limits.turnBytes, Math.floor(limits.totalBytes * filledTo));
  if (job.use.bytes + bytes.length > turnBytes) {
    return not("turn", `more than ${megabytes(turnBytes)} would be replaced in this turn`);
  }
  try {
    await keepContent(job.folder, state.hash, bytes);
  } catch (error) {
    return not("disk", reason(error));
  }
  job.use.bytes += bytes.length;
  stayWithin(job, bytes.length);
  return state;
}

/** The change does not wait for it: there may be ten thousands of files to look at. */
function stayWithin(job: Job, bytes: number): void {
  const { options, folder } = job;
  const root = changesRoot(options.stateFolder);
  const { totalBytes } = options.limits;
  const look = looks.get(root) ?? { since: totalBytes, running: false };
  looks.set(root, look);
  look.since += bytes;
  if (look.running || look.since < totalBytes / lookEvery) {
    return;
  }
  look.since = 0;
  look.running = true;
  void keepWithin(root, totalBytes, folder).finally(() => {
    look.running = false;
    stayWithin(job, 0);
  });
}

function megabytes(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.round(bytes / 1024 / 1024)} MB` : `${bytes} bytes`;
}

function reason(error: unknown): string {
  const code = errorCode(error);
  return code === "UNKNOWN" && error instanceof Error ? error.message : code;
}

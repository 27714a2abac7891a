/**
 * Holds the placeholders ("stand-ins"): sockets and small files that occupy absent protected names while a sandboxed command
 * runs. A placeholder is removed at the end of the last command, of any process, that needs it. A killed process leaves its
 * placeholders and a record of them, with which the next start removes them.
 */
import { randomUUID } from "node:crypto";
import { lstatSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
  createGitPlaceholder,
  isGitPlaceholder,
  isReadByGit,
  removeGitPlaceholder,
} from "@localharness/workspace/git-files/git-placeholders";
import { statsAt } from "@localharness/workspace/paths/stats-at";
import { createHeldSockets } from "./held-sockets.ts";
import { createHolder, deadHolders, type Holder } from "./holders.ts";
import { temporaryBase, temporaryPrefix } from "./sandbox-profile.ts";

export interface StandIns {
  /**
   * Creates the placeholders for one command, which must not write to `paths`. Calls may overlap. Rejects if another process
   * still removes placeholders at these paths after 10 seconds, or with the system's error. Programs read those in `files`, which get
   * empty files, because a socket would be an error for them.
   */
  hold(paths: readonly string[], files?: ReadonlySet<string>): Promise<HeldStandIns>;
  /** Removes the record. Call it only while no command runs. */
  close(): void;
}

export interface HeldStandIns {
  /** The paths at which there is only a placeholder while the command runs, and no file of the person. */
  readonly paths: readonly string[];
  release(): void;
}

/** The milliseconds for which a process waits until others have removed placeholders. A removal takes a few milliseconds. */
const maxWaitMs = 10_000;
const pollMs = 2;

/** Returns the placeholders of one sandbox. Keeps a record of them and of the temporary folder. */
export function createStandIns(stateFolder: string, temporary: string): StandIns {
  const holder = createHolder(stateFolder);
  const users = new Map<string, number>();
  /** The paths at which there is a placeholder, and not an empty file of the person. */
  const known = new Set<string>();
  const record = (leaving: readonly string[] = [], passing: readonly string[] = []) =>
    holder.write({
      temporary,
      paths: [...known, ...passing],
      wanted: [...users.keys()].filter((path) => !known.has(path)),
      leaving,
    });
  /** Notes that one command less uses the paths. Returns those that no command of this sandbox uses any more. */
  const lower = (paths: readonly string[]) =>
    paths.filter((path) => {
      const left = (users.get(path) ?? 1) - 1;
      if (left > 0) users.set(path, left);
      else users.delete(path);
      return left <= 0;
    });
  const leave = (paths: readonly string[]) => {
    const unused = lower(paths);
    for (const path of unused) known.delete(path);
    if (unused.length === 0) return;
    record(unused);
    removeUnheld(unused, holder, removeStandIn);
    record();
  };
  record();
  return {
    async hold(paths, files = new Set()) {
      const wanted = paths.filter((path) => occupantOf(path) !== "other");
      for (const path of wanted) users.set(path, (users.get(path) ?? 0) + 1);
      record();
      const others = await settledOthers(holder, wanted).catch((error: unknown) => {
        lower(wanted);
        record();
        throw error;
      });
      // An empty file that nobody has recorded is the person's.
      const isOurs = (path: string) => {
        const occupant = occupantOf(path);
        if (occupant === "empty") return known.has(path) || others.has(path);
        return occupant !== "other";
      };
      const own = wanted.filter(isOurs);
      lower(wanted.filter((path) => !own.includes(path)));
      for (const path of own) known.add(path);
      // Processes that create the same names at once must not share the name of the first socket.
      const first = `.${randomUUID()}`;
      record(
        [],
        [...new Set(own.map(dirname))].map((folder) => join(folder, first)),
      );
      await create(own, first, files).catch((error: unknown) => {
        leave(own);
        throw error;
      });
      return {
        paths: paths.filter((path) => known.has(path) || isStandIn(path)),
        release: () => leave(own),
      };
    },
    close: () => holder.close(),
  };
}

/** Resolves to the paths that others hold, as soon as none of them is removing one of `paths`. Rejects after 10 seconds. */
async function settledOthers(holder: Holder, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const wanted = new Set(paths);
  for (let waited = 0; waited <= maxWaitMs; waited += pollMs) {
    const others = holder.others();
    const isSettled = others.every(({ leaving }) => !leaving.some((path) => wanted.has(path)));
    if (isSettled) return new Set(others.flatMap((other) => other.paths));
    await wait(pollMs);
  }
  throw new Error("another session is still removing what held names for its command; try again");
}

/** Calls `remove` for the paths that no other holder has or wants. The record of `holder` must have them as `leaving`. */
function removeUnheld(paths: readonly string[], holder: Holder, remove: (path: string) => void): void {
  const held = new Set(holder.others().flatMap((other) => [...other.paths, ...other.wanted]));
  for (const path of paths) if (!held.has(path)) remove(path);
}

/** Creates the absent placeholders; outside Linux only those for git. A name that appears meanwhile is closed as it is. */
async function create(paths: readonly string[], first: string, files: ReadonlySet<string>): Promise<void> {
  for (const path of paths.filter(isReadByGit)) createGitPlaceholder(path);
  if (process.platform !== "linux") return;
  const absent = paths.filter((path) => !isReadByGit(path) && occupantOf(path) === "absent");
  await createHeldSockets(
    absent.filter((path) => !files.has(path)),
    first,
  );
  for (const path of absent) createEmptyFile(path);
}

/** Creates the placeholder of a file that programs read, or of a file system without sockets. Does nothing if the name exists or its folder is absent or closed. */
function createEmptyFile(path: string): void {
  try {
    writeFileSync(path, "", { flag: "wx", mode: 0o444 });
  } catch {
    // The sandbox runtime then closes the absent name itself, if it can.
  }
}

/**
 * Removes the placeholders and temporary folders of killed processes. Removes only sockets, empty, unwritable files, empty
 * folders, and the placeholders for git. What cannot be removed stays for the next start.
 */
export function sweepStandIns(stateFolder: string): void {
  const dead = deadHolders(stateFolder);
  const leaving = dead.flatMap(({ record }) => [...(record?.paths ?? []), ...(record?.leaving ?? [])]);
  try {
    if (leaving.length > 0) sweep(stateFolder, leaving);
  } catch {
    // The records stay for the next start.
    return;
  }
  for (const { record, forget } of dead) {
    if (record !== undefined) removeTemporary(record.temporary);
    forget();
  }
}

function sweep(stateFolder: string, leaving: readonly string[]): void {
  const sweeper = createHolder(stateFolder);
  sweeper.write({ temporary: "", paths: [], wanted: [], leaving });
  removeUnheld(leaving, sweeper, (path) => {
    removeStandIn(path);
    removeEmptyFolder(path);
  });
  sweeper.close();
}

function removeStandIn(path: string): void {
  if (isReadByGit(path)) {
    removeGitPlaceholder(path);
    return;
  }
  try {
    if (isStandIn(path)) unlinkSync(path);
  } catch {
    // The placeholder is already gone, or must not be removed.
  }
}

function removeEmptyFolder(path: string): void {
  try {
    if (lstatSync(path).isDirectory()) rmdirSync(path);
  } catch {
    // The folder has files, or is already gone.
  }
}

function removeTemporary(path: string): void {
  if (dirname(path) !== temporaryBase() || !basename(path).startsWith(temporaryPrefix)) return;
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The folder stays in the system's folder for temporary files.
  }
}

/** What is at a path: nothing, a placeholder, an empty file (a placeholder or the person's), or something else. */
type Occupant = "absent" | "placeholder" | "empty" | "other";

/** Returns what is at the path. Reads its state only once, because another process may remove a placeholder meanwhile. */
function occupantOf(path: string): Occupant {
  const stats = statsAt(path);
  if (stats === undefined) return "absent";
  if (isReadByGit(path)) return isGitPlaceholder(path, stats) ? "placeholder" : "other";
  if (stats.isSocket()) return "placeholder";
  return stats.isFile() && stats.size === 0 && (stats.mode & 0o222) === 0 ? "empty" : "other";
}

function isStandIn(path: string): boolean {
  return ["placeholder", "empty"].includes(occupantOf(path));
}

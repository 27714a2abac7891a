/**
 * Tracks the placeholders ("stand-ins"): empty files that occupy absent protected names while a sandboxed command runs. The
 * runtime removes them after each command. A killed process leaves its placeholders and a record of them, with which the next
 * start removes them.
 */
import { lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readPlainText } from "../files/plain-file.ts";
import { ownMark, processMark } from "../processes/process-mark.ts";
import { isReadByGit, removeGitPlaceholder } from "./git-placeholders.ts";
import { isHeldSocket, removeHeldSocket } from "./held-sockets.ts";
import { temporaryBase, temporaryPrefix } from "./sandbox-profile.ts";

const ending = ".json";

interface StandInRecord {
  /** The folder of temporary files. */
  readonly temporary: string;
  readonly paths: readonly string[];
}

export interface StandIns {
  /** Registers one command, which must not write to `paths`. Calls may overlap. */
  hold(paths: readonly string[]): HeldStandIns;
  /** Removes the record. Call it only while no command runs. */
  close(): void;
}

export interface HeldStandIns {
  /** The paths at which there is only a placeholder while the command runs, and no file of the person. */
  readonly paths: readonly string[];
  release(): void;
}

/**
 * Writes a record of the placeholders and of the temporary folder, which stays on disk if this process is killed. Returns the
 * functions that keep the record up to date.
 */
export function createStandIns(stateFolder: string, temporary: string): StandIns {
  const folder = join(stateFolder, "sandbox");
  const file = join(folder, `${ownMark()}${ending}`);
  const users = new Map<string, number>();
  const record = () => {
    const text: StandInRecord = { temporary, paths: [...users.keys()] };
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify(text), { mode: 0o600 });
  };
  record();
  return {
    hold(paths) {
      const own = paths.filter((path) => users.has(path) || isAbsent(path));
      for (const path of own) users.set(path, (users.get(path) ?? 0) + 1);
      record();
      // Another process may have a command running in the same folder.
      const others = paths.filter((path) => !users.has(path) && isStandIn(path));
      return {
        paths: [...users.keys(), ...others],
        release() {
          for (const path of own) {
            const left = (users.get(path) ?? 1) - 1;
            if (left > 0) {
              users.set(path, left);
            } else {
              users.delete(path);
              removeHeldSocket(path);
            }
          }
          record();
        },
      };
    },
    close: () => rmSync(file, { force: true }),
  };
}

/**
 * Removes the placeholders and temporary folders of killed processes. Removes only empty, unwritable files, empty folders, and
 * the placeholders for git. Never throws.
 */
export function sweepStandIns(stateFolder: string): void {
  const folder = join(stateFolder, "sandbox");
  for (const name of namesIn(folder)) {
    const file = join(folder, name);
    const owner = name.slice(0, -ending.length);
    if (processMark(Number.parseInt(owner, 10)) === owner) continue;
    const record = readRecord(file);
    for (const path of record?.paths ?? []) removeStandIn(path);
    if (record !== undefined) removeTemporary(record.temporary);
    rmSync(file, { force: true });
  }
}

function removeStandIn(path: string): void {
  if (isReadByGit(path)) {
    removeGitPlaceholder(path);
    return;
  }
  try {
    if (isStandIn(path)) unlinkSync(path);
    else if (lstatSync(path).isDirectory()) rmdirSync(path);
  } catch {
    // The placeholder is already gone, or must not be removed.
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

function isStandIn(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  const isEmpty = stats?.isFile() === true && stats.size === 0 && (stats.mode & 0o222) === 0;
  return isEmpty || isHeldSocket(path);
}

function isAbsent(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined;
}

function readRecord(path: string): StandInRecord | undefined {
  try {
    const record = JSON.parse(readPlainText(path)) as { [key in keyof StandInRecord]?: unknown };
    const { paths, temporary } = record;
    if (!Array.isArray(paths)) return undefined;
    return {
      temporary: typeof temporary === "string" ? temporary : "",
      paths: paths.filter((one) => typeof one === "string"),
    };
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(ending));
  } catch {
    return [];
  }
}

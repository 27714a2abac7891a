/**
 * The empty files that stand in for protected names while a sandboxed command runs. The runtime takes them away after
 * each command; what a killed process left is taken away at the next start, by what it had put on record.
 */
import { lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readPlainText } from "../files/plain-file.ts";
import { ownMark, processMark } from "../processes/process-mark.ts";
import { removeCommonFolder } from "./common-folder.ts";
import { temporaryBase, temporaryPrefix } from "./sandbox-profile.ts";

const ending = ".json";

interface StandInRecord {
  /** The folder of temporary files. */
  readonly temporary: string;
  readonly paths: readonly string[];
}

export interface StandIns {
  /** For one command; calls may overlap. `paths`: all that a sandboxed command must not write. */
  hold(paths: readonly string[]): HeldStandIns;
  /** No command runs any more. */
  close(): void;
}

export interface HeldStandIns {
  /** The paths behind which nothing of the person's stands while the command runs. */
  readonly paths: readonly string[];
  letGo(): void;
}

/** Puts on record what this process may leave behind. */
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
        letGo() {
          for (const path of own) {
            const left = (users.get(path) ?? 1) - 1;
            if (left > 0) users.set(path, left);
            else users.delete(path);
          }
          record();
        },
      };
    },
    close: () => rmSync(file, { force: true }),
  };
}

/**
 * Takes away what killed processes left. Only empty, unwritable files, empty folders and our own `commondir` are taken for
 * stand-ins. Never throws.
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
  if (basename(path) === "commondir") {
    removeCommonFolder(path);
    return;
  }
  try {
    if (isStandIn(path)) unlinkSync(path);
    else if (lstatSync(path).isDirectory()) rmdirSync(path);
  } catch {
    // It is gone already, or not ours to remove.
  }
}

function removeTemporary(path: string): void {
  if (dirname(path) !== temporaryBase() || !basename(path).startsWith(temporaryPrefix)) return;
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // What cannot be removed stays where temporary files are.
  }
}

function isStandIn(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size === 0 && (stats.mode & 0o222) === 0;
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

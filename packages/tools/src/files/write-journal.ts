/**
 * Remembers on disk in which folders a process makes temporary files, so that the next start can remove what a killed
 * one left. One small file per process in the state folder, one line per folder.
 */
import { appendFileSync, lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ownMark, processMark } from "../processes/process-mark.ts";
import { readPlainText } from "./plain-file.ts";

export interface WriteJournal {
  /** A new name for a temporary file that will replace `name` in `folder`. The folder is on record when this returns. */
  temporaryName(folder: string, name: string): string;
  /** Forgets the record of this process. For the end, when no write is open. */
  close(): void;
}

/** Of the process: two journals in it may write in one folder, and must not meet at one name. */
let counter = 0;

/** `stateFolder` is private to the person; it is made with mode 0700 at the first write. */
export function createWriteJournal(stateFolder: string): WriteJournal {
  const owner = ownMark();
  const path = join(stateFolder, `writes-${owner}`);
  const known = new Set<string>();
  return {
    temporaryName: (folder, name) => {
      // Without a record a kill in the next milliseconds can leave a file behind; not to write at all would be worse.
      if (!known.has(folder) && record(stateFolder, path, folder)) {
        known.add(folder);
      }
      counter += 1;
      // Names are at most 255 bytes long on every usual file system; a cut name is still unique.
      return `.${Buffer.from(name)
        .subarray(0, 160)
        .toString("latin1")
        .replaceAll(/[^\w.-]/g, "_")}.${owner}-${counter}.lhtmp`;
    },
    close: () => rmSync(path, { force: true }),
  };
}

/** False when it could not be put on record: then the next write tries again. */
function record(stateFolder: string, path: string, folder: string): boolean {
  try {
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
    // A line of its own also after one that was torn.
    appendFileSync(path, `\n${JSON.stringify(folder)}\n`, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes the temporary files that processes which no longer run have left, and their records.
 * Gives the paths that were removed. Never throws: what cannot be removed now is tried at the next start.
 */
export function sweepTemporaryFiles(stateFolder: string): readonly string[] {
  const removed: string[] = [];
  for (const record of names(stateFolder)) {
    const owner = /^writes-(\d+-\d+)$/.exec(record)?.[1];
    if (owner === undefined || processMark(Number.parseInt(owner, 10)) === owner) {
      continue;
    }
    const path = join(stateFolder, record);
    if (recordedFolders(path).every((folder) => sweepFolder(folder, owner, removed))) {
      rmSync(path, { force: true });
    }
  }
  return removed;
}

/** False when something is left that should go. */
function sweepFolder(folder: string, owner: string, removed: string[]): boolean {
  let clean = true;
  for (const name of names(folder)) {
    if (!name.endsWith(".lhtmp") || !name.includes(`.${owner}-`)) {
      continue;
    }
    try {
      // A folder that was being put back is empty.
      if (lstatSync(join(folder, name)).isDirectory()) {
        rmdirSync(join(folder, name));
      } else {
        rmSync(join(folder, name), { force: true });
      }
      removed.push(join(folder, name));
    } catch {
      clean = false;
    }
  }
  return clean;
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function recordedFolders(path: string): readonly string[] {
  try {
    return readPlainText(path).split("\n").flatMap(parseFolder);
  } catch {
    return [];
  }
}

/** A line that was torn by a kill names a folder in which nothing was made yet. */
function parseFolder(line: string): readonly string[] {
  try {
    const folder: unknown = JSON.parse(line);
    return typeof folder === "string" ? [folder] : [];
  } catch {
    return [];
  }
}

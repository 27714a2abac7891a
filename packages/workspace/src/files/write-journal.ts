/**
 * Records on disk in which folders a process creates temporary files, so that the next start can remove the files of a killed
 * process. Each process has a small file in the state folder, with one line per folder.
 */
import { appendFileSync, lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readPlainText } from "./plain-file.ts";
import { ownMark, processMark } from "./process-mark.ts";
import { removeQuietly } from "./remove-quietly.ts";

export interface WriteJournal {
  /** Records the folder and returns a new name for a temporary file that will replace `name` in it. */
  temporaryName(folder: string, name: string): string;
  /** Removes the record of this process. Call it at the end, when no write is open. */
  close(): void;
}

/**
 * The number of temporary names so far. The whole process shares it, because two journals in one folder must not use the
 * same name.
 */
let counter = 0;

/** Returns the journal. `stateFolder` is private to the person; it is created with mode 0700 at the first write. */
export function createWriteJournal(stateFolder: string): WriteJournal {
  const owner = ownMark();
  const path = join(stateFolder, `writes-${owner}`);
  const known = new Set<string>();
  return {
    temporaryName: (folder, name) => {
      // Without a record a killed process may leave a temporary file, but refusing to write would be worse.
      if (!known.has(folder) && record(stateFolder, path, folder)) {
        known.add(folder);
      }
      counter += 1;
      // Common file systems limit names to 255 bytes; a cut name is still unique.
      return `.${Buffer.from(name)
        .subarray(0, 160)
        .toString("latin1")
        .replaceAll(/[^\w.-]/g, "_")}.${owner}-${counter}.lhtmp`;
    },
    close: () => rmSync(path, { force: true }),
  };
}

/** Records a folder. Returns false if that fails; the next write tries again. */
function record(stateFolder: string, path: string, folder: string): boolean {
  try {
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
    // The leading line break ends a line that a killed process has left incomplete.
    appendFileSync(path, `\n${JSON.stringify(folder)}\n`, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes the temporary files of processes that no longer run, and their records. Returns the paths of the removed files.
 * The next start tries again what cannot be removed now.
 */
export function sweepTemporaryFiles(stateFolder: string): readonly string[] {
  const removed: string[] = [];
  for (const record of names(stateFolder)) {
    const owner = /^writes-(\d+-\d+)$/.exec(record)?.[1];
    if (owner === undefined || processMark(Number.parseInt(owner, 10)) === owner) continue;
    const path = join(stateFolder, record);
    if (recordedFolders(path).every((folder) => sweepFolder(folder, owner, removed))) removeQuietly(path);
  }
  return removed;
}

/** Removes the temporary files of a process from a folder. Returns false if one could not be removed. */
function sweepFolder(folder: string, owner: string, removed: string[]): boolean {
  let clean = true;
  for (const name of names(folder)) {
    if (!name.endsWith(".lhtmp") || !name.includes(`.${owner}-`)) continue;
    try {
      // An undo creates temporary folders, which are empty.
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

/** Returns the folder of a line. An incomplete line is ignored, because its process was killed before it created a file there. */
function parseFolder(line: string): readonly string[] {
  try {
    const folder: unknown = JSON.parse(line);
    return typeof folder === "string" ? [folder] : [];
  } catch {
    return [];
  }
}

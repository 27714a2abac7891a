/**
 * Stores outputs that are too long for a result, in files that only the person can read, until the session ends. Makes
 * private folders for other temporary files in the same place, so that the next start removes the private folders of a
 * killed session.
 */
import { constants, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ownMark, processMark } from "@localharness/workspace/files/process-mark";
import { removeQuietly } from "@localharness/workspace/files/remove-quietly";
import { found, type Outcome, systemFailure } from "@localharness/workspace/outcome";
import { type OpenFile, openHeldFile } from "@localharness/workspace/paths/handles";
import { openRealPathDoor } from "@localharness/workspace/paths/real-path-door";
import type { OutputFolder } from "./output-folder.ts";

/** Returns the folder for the outputs of this process. It appears on disk with its first file or folder. */
export function createOutputFolder(stateFolder: string): OutputFolder {
  const folder = join(stateFolder, `outputs-${ownMark()}`);
  const paths = new Set<string>();
  let isMade = false;
  const make = () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    isMade = true;
  };
  return {
    create: () => {
      make();
      const path = join(folder, `output-${paths.size + 1}.txt`);
      const descriptor = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o600);
      paths.add(path);
      return { path, descriptor };
    },
    createFolder: () => {
      make();
      return mkdtempSync(join(folder, "draft-"));
    },
    owns: (path) => paths.has(path),
    open: (path) => openOutput(path),
    close: () => {
      if (isMade) {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Removes the outputs of processes that no longer run. Those that cannot be removed stay. */
export function sweepOutputs(stateFolder: string): void {
  for (const name of entries(stateFolder)) {
    const owner = /^outputs-(\d+-\d+)$/.exec(name)?.[1];
    if (owner === undefined || processMark(Number.parseInt(owner, 10)) === owner) continue;
    removeQuietly(join(stateFolder, name), { recursive: true });
  }
}

function openOutput(path: string): Outcome<OpenFile> {
  try {
    const door = openRealPathDoor(dirname(path));
    const probe = door.probe(path.slice(dirname(path).length + 1));
    if (probe.kind !== "inside") return systemFailure(probe.kind === "error" ? probe.error : undefined, path);
    const file = openHeldFile(path, probe.hold, path);
    return file.ok ? found(file.value) : file;
  } catch (error) {
    return systemFailure(error, path);
  }
}

function entries(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Writes files of this program that sandboxed commands read. They are in the program's own folder, of which commands see nothing else
 * and can write nothing: a name that a command can write may be a link to another file when this program opens it.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ownMark, processMark } from "@localharness/workspace/files/process-mark";

export interface HostFiles {
  /** The folder, which commands can read. */
  readonly folder: string;
  /** Writes a file with the content, unless there is one, and returns its path. Throws the system's error. */
  write(name: string, content: string | Buffer): string;
  /** Does the same for a program. */
  writeProgram(name: string, content: Buffer): string;
  /** Removes the folder. Call it only while no command runs. */
  close(): void;
}

const prefix = "shown-";

/** Creates the folder of this process in `stateFolder`. Throws the system's error. */
export function createHostFiles(stateFolder: string): HostFiles {
  const parent = join(stateFolder, "sandbox-files");
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(parent, `${prefix}${ownMark()}-`));
  const written = new Set<string>();
  const write = (name: string, content: string | Buffer, mode: number): string => {
    const path = join(folder, `${createHash("sha256").update(content).digest("hex").slice(0, 16)}-${name}`);
    if (!written.has(path)) writeNew(path, content, mode);
    written.add(path);
    return path;
  };
  return {
    folder,
    write: (name, content) => write(name, content, 0o600),
    writeProgram: (name, content) => write(name, content, 0o700),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Writes a file that must not exist. Follows no link at its name. */
function writeNew(path: string, content: string | Buffer, mode: number): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  const descriptor = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    writeFileSync(descriptor, content);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes the folders of killed processes. Never throws. */
export function sweepHostFiles(stateFolder: string): void {
  const parent = join(stateFolder, "sandbox-files");
  for (const name of foldersIn(parent)) {
    const [, owner = ""] = /^shown-(\d+-\d+)-/.exec(name) ?? [];
    if (owner === "" || processMark(Number.parseInt(owner, 10)) === owner) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // It stays for the next start.
    }
  }
}

function foldersIn(parent: string): readonly string[] {
  try {
    return readdirSync(parent).filter((name) => name.startsWith(prefix));
  } catch {
    return [];
  }
}

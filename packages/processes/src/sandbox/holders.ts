/**
 * Keeps records of who holds which placeholders, one file for each sandbox of each living process. Processes that run commands in
 * one folder share its placeholders: the last holder removes them. No lock is needed, because each process writes its record
 * before it looks at those of the others.
 */
import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPlainText } from "@localharness/workspace/files/plain-file";
import { ownMark, processMark } from "@localharness/workspace/files/process-mark";
import { removeQuietly } from "@localharness/workspace/files/remove-quietly";

export interface HolderRecord {
  /** The folder of temporary files. */
  readonly temporary: string;
  /** The paths at which the holder needs the placeholder. */
  readonly paths: readonly string[];
  /** Further paths that the holder may need: it does not know yet whether a placeholder is there or a file of the person. */
  readonly wanted: readonly string[];
  /** The paths at which the holder now removes placeholders that no other holder needs. A new holder of a path waits. */
  readonly leaving: readonly string[];
}

export interface Holder {
  write(record: HolderRecord): void;
  /** Returns the readable records of all other holders whose processes run; a holder of this process may be among them. */
  others(): readonly HolderRecord[];
  /** Removes the record. */
  close(): void;
}

const ending = ".json";

/** Returns a holder of this process without a record. `stateFolder` is the folder for private data. */
export function createHolder(stateFolder: string): Holder {
  const folder = holderFolder(stateFolder);
  const name = `${ownMark()}-${randomUUID().slice(0, 8)}${ending}`;
  const file = join(folder, name);
  return {
    write(record) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // Another process reads the old record or the new one, but no part.
      const next = join(folder, name.replace(ending, `.next${ending}`));
      writeFileSync(next, JSON.stringify(record), { mode: 0o600 });
      renameSync(next, file);
    },
    others: () =>
      namesIn(folder)
        .filter((other) => other !== name && isAlive(other))
        .flatMap((other) => readRecord(join(folder, other)) ?? []),
    close: () => rmSync(file, { force: true }),
  };
}

/** The record of a process that no longer runs. */
export interface DeadHolder {
  /** Undefined if the record cannot be read. */
  readonly record: HolderRecord | undefined;
  /** Removes the record, if that is possible. */
  forget(): void;
}

export function deadHolders(stateFolder: string): readonly DeadHolder[] {
  const folder = holderFolder(stateFolder);
  return namesIn(folder)
    .filter((name) => !isAlive(name))
    .map((name) => {
      const file = join(folder, name);
      return { record: readRecord(file), forget: () => removeQuietly(file) };
    });
}

function holderFolder(stateFolder: string): string {
  return join(stateFolder, "sandbox");
}

function isAlive(name: string): boolean {
  const [owner = ""] = /^\d+-\d+/.exec(name) ?? [];
  return processMark(Number.parseInt(owner, 10)) === owner;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(ending));
  } catch {
    return [];
  }
}

function readRecord(path: string): HolderRecord | undefined {
  try {
    const { paths, wanted, leaving, temporary } = JSON.parse(readPlainText(path)) as {
      [key in keyof HolderRecord]?: unknown;
    };
    if (!Array.isArray(paths)) return undefined;
    return {
      temporary: typeof temporary === "string" ? temporary : "",
      paths: textsIn(paths),
      wanted: textsIn(Array.isArray(wanted) ? wanted : []),
      leaving: textsIn(Array.isArray(leaving) ? leaving : []),
    };
  } catch {
    return undefined;
  }
}

function textsIn(values: readonly unknown[]): readonly string[] {
  return values.filter((one) => typeof one === "string");
}

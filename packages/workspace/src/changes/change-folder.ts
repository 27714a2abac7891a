/**
 * Stores the changes of a session for undo: a log with one JSON line per change, and the replaced or removed contents,
 * each in a file named by its hash. All of it is in the state folder and readable only by the person.
 */

import { createHash, hash as hashOf } from "node:crypto";
import { closeSync, constants, lstatSync, utimesSync, writeFileSync } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { countText } from "@localharness/protocol";
import { openPlain, readPlain, requirePlain, withoutWaiting } from "../files/plain-file.ts";
import { errorCode } from "../outcome.ts";
import type { PathState } from "./path-state.ts";

export interface ChangeRecord {
  readonly v: 1;
  readonly type: "change";
  readonly turn: string;
  /** The time of the change in Unix milliseconds. */
  readonly time: number;
  /** Physical path relative to the workspace, or absolute in an added folder. */
  readonly path: string;
  /** The real path of the added folder that has the path. Undo opens it again. */
  readonly folder?: string;
  readonly before: PathState;
  readonly after: PathState;
}

/** A call of a turn that changed something, in a few words. */
export interface CallRecord {
  readonly v: 1;
  readonly type: "call";
  readonly turn: string;
  readonly words: string;
}

/** A change of a turn that was not recorded, with the reason. */
export interface MissedRecord {
  readonly v: 1;
  readonly type: "missed";
  readonly turn: string;
  readonly time: number;
  readonly path: string;
  readonly why: string;
}

/** Returns the folder of all undo data. */
export function changesRoot(stateFolder: string): string {
  return join(stateFolder, "undo");
}

/** Returns the name of a workspace (real path) in the state folder: its folder name and a hash of its path. */
export function workspaceName(workspace: string): string {
  const hash = createHash("sha256").update(workspace).digest("hex").slice(0, 12);
  const folder =
    basename(workspace)
      .replace(/[^\w.-]/g, "_")
      .slice(0, 40) || "root";
  return `${folder}-${hash}`;
}

/** Returns the undo folder of a workspace, which has one folder per session. */
export function workspaceChanges(stateFolder: string, workspace: string): string {
  return join(changesRoot(stateFolder), workspaceName(workspace));
}

export function sessionChanges(stateFolder: string, workspace: string, sessionId: string): string {
  const name = /^[\w-]{1,80}$/.test(sessionId) ? sessionId : hashOf("sha256", sessionId, "hex");
  return join(workspaceChanges(stateFolder, workspace), name);
}

/** Removes the undo data of a session. Rejects with the system's error. */
export async function forgetChanges(
  stateFolder: string,
  workspace: string,
  sessionId: string,
): Promise<void> {
  await rm(sessionChanges(stateFolder, workspace, sessionId), { recursive: true, force: true });
}

export function changeLog(folder: string): string {
  return join(folder, "changes.jsonl");
}

/**
 * Appends whole lines to the log with one write. Rejects if the log is not a regular file, if not all was written, or with
 * the system's error.
 */
export async function appendLines(folder: string, lines: readonly object[]): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const file = await open(changeLog(folder), withoutWaiting(flags), 0o600);
  try {
    requirePlain(await file.stat());
    // The line break at the beginning ends a line that a killed process has left incomplete.
    const text = Buffer.from(`\n${lines.map((line) => `${JSON.stringify(line)}\n`).join("")}`);
    const { bytesWritten } = await file.write(text);
    if (bytesWritten !== text.length) {
      throw new Error(`only ${bytesWritten} of ${countText(text.length, "byte")} were written`);
    }
  } finally {
    await file.close();
  }
}

/**
 * Stores a content under its hash. If a file of the same size is already there, only renews its time. On an error, rejects with the system's error and leaves no
 * partial file.
 */
export async function keepContent(folder: string, hash: string, bytes: Uint8Array): Promise<void> {
  const path = join(folder, hash);
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there?.isFile() === true && there.size === bytes.length) {
    // The time of the file is renewed, because the oldest contents are removed first.
    const now = new Date();
    utimesSync(path, now, now);
    return;
  }
  try {
    await writeContent(path, bytes).catch(async (error: unknown) => {
      if (errorCode(error) !== "ENOENT") throw error;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeContent(path, bytes);
    });
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * The maximum size of a content that is written synchronously, which is ten times as fast for the many files of a removed
 * folder.
 */
const smallBytes = 256 * 1024;

async function writeContent(path: string, bytes: Uint8Array): Promise<void> {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
  const flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;
  if (bytes.length <= smallBytes) {
    const descriptor = openPlain(path, flags, 0o600);
    try {
      writeFileSync(descriptor, bytes);
    } finally {
      closeSync(descriptor);
    }
    return;
  }
  const file = await open(path, withoutWaiting(flags), 0o600);
  try {
    await file.writeFile(bytes);
  } finally {
    await file.close();
  }
}

/** Returns the content with that hash; undefined if it was removed, cannot be read, or does not match its hash. */
export async function keptContent(folder: string, hash: string): Promise<Buffer | undefined> {
  if (!/^[0-9a-f]{64}$/.test(hash)) return undefined;
  try {
    const bytes = await readPlain(join(folder, hash));
    return hashOf("sha256", bytes, "hex") === hash ? bytes : undefined;
  } catch {
    return undefined;
  }
}

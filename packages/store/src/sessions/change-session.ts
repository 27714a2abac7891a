/** Renames and deletes session files that no process has open. */
import { closeSync, futimesSync, lstatSync, openSync, rmSync, statSync } from "node:fs";
import { usageError } from "@localharness/engine";
import { reasonOf } from "@localharness/protocol";
import { createMessageCounter } from "./count-messages.ts";
import { readSessionFile } from "./read-session.ts";
import { lockSession, whereOpen } from "./session-lock.ts";
import { openSessionWriter } from "./session-writer.ts";
import type { Masking } from "./split-secret.ts";

/**
 * Renames a session by appending a summary with the new name to its file. Throws a `HarnessError` if a process has the
 * session open, or if the file cannot be read, locked or written.
 */
export async function renameSessionFile(
  path: string,
  name: string,
  { mask, secrets }: Masking,
): Promise<void> {
  const read = await readSessionFile(path);
  const lock = await lockSession(path).catch((error: unknown) => {
    throw usageError(`${path} cannot be renamed, because it cannot be locked: ${reasonOf(error)}`, error);
  });
  if (lock === undefined) throw openElsewhere(path, "rename");
  const counter = createMessageCounter();
  for (const event of read.events) counter.count(event);
  counter.rename(name);
  const { mtimeMs } = statSync(path);
  let problem = "";
  const writer = openSessionWriter({ path, lock, torn: read.torn, counter, mask, secrets });
  writer.tellTo((message) => {
    problem = message;
  });
  const written = writer.writeNote();
  writer.close();
  if (!written) throw usageError(`${path} could not be renamed: ${problem}`);
  keepTime(path, mtimeMs);
}

/**
 * Restores the file's modification time, because renaming a session must not make it the session that was used last.
 */
function keepTime(path: string, changedMs: number): void {
  try {
    const file = openSync(path, "r+");
    futimesSync(file, changedMs / 1_000, changedMs / 1_000);
    closeSync(file);
  } catch {
    // The session then moves to the top of the list, which is harmless.
  }
}

/**
 * Deletes a session file. Throws a `HarnessError` if a process, which may be this one, has it open, or if deleting
 * fails.
 */
export function deleteSessionFile(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    throw usageError(`there is no session ${path}: localharness sessions list shows them`);
  }
  if (whereOpen(path) !== undefined) throw openElsewhere(path, "delete");
  try {
    rmSync(`${path}.lock`, { force: true });
    rmSync(path);
  } catch (error) {
    throw usageError(`${path} could not be deleted: ${reasonOf(error)}`, error);
  }
}

function openElsewhere(path: string, what: string): Error {
  const where = whereOpen(path) ?? "in another window";
  return usageError(`the session is open ${where}: close it there first, then ${what} it (${path})`);
}

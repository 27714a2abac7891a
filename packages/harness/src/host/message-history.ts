/** Keeps the messages sent in a workspace, in a private file with one JSON string per line. */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readPlain, requirePlain, withoutWaiting } from "@localharness/workspace/files/plain-file";
import { replaceFile } from "@localharness/workspace/files/replace-file";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";

/** The maximum number of messages that are returned. The editor of the screen keeps the same number. */
const maxMessages = 100;
/**
 * The maximum length of a message that is kept, in UTF-16 units. A longer message is a paste, which nobody looks for in
 * a history.
 */
const maxMessageChars = 20_000;
/** The maximum size of the file in bytes. A larger file is rewritten with only its newest messages. */
const maxFileBytes = 2 * 1024 * 1024;

export interface KeptMessages {
  /** Returns the last 100 messages, oldest first; empty if the file is missing or unreadable. */
  read(): Promise<readonly string[]>;
  /** Saves a message with known secrets masked, unless it is blank or too long. Rejects with the file system's error. */
  remember(message: string): Promise<void>;
}

/** Opens the history of a workspace. Nothing is saved if `state` is undefined. `mask` masks known secrets. */
export function openMessageHistory(
  state: string | undefined,
  workspace: string,
  mask: (text: string) => string,
  journal: WriteJournal,
): KeptMessages {
  if (state === undefined) return { read: async () => [], remember: async () => undefined };
  const path = historyPath(state, workspace);
  return {
    read: () => readMessages(path),
    async remember(message) {
      if (message.trim() === "" || message.length > maxMessageChars) return;
      await appendLine(path, JSON.stringify(mask(message)));
      await shorten(path, journal);
    },
  };
}

export function historyPath(state: string, workspace: string): string {
  const mark = createHash("sha256").update(workspace).digest("hex").slice(0, 12);
  const name =
    basename(workspace)
      .replace(/[^\w.-]/g, "_")
      .slice(0, 40) || "root";
  return join(state, "history", `${name}-${mark}.jsonl`);
}

async function readMessages(path: string): Promise<readonly string[]> {
  const text = await readPlain(path).then(String, () => "");
  const messages = text.split("\n").flatMap(readLine);
  // A message that was sent twice in a row is returned once.
  return messages.filter((message, index) => message !== messages[index - 1]).slice(-maxMessages);
}

/**
 * Returns a list with the message that a line has. The list is empty for an incomplete line, or for a line that this
 * program did not write.
 */
function readLine(line: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "string" && value !== "" ? [value] : [];
  } catch {
    return [];
  }
}

async function appendLine(path: string, line: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants;
  const file = await open(path, withoutWaiting(O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW), 0o600);
  try {
    requirePlain(await file.stat());
    // The line feed before the message ends a line that a crash may have cut off.
    await file.write(`\n${line}\n`);
  } finally {
    await file.close();
  }
}

async function shorten(path: string, journal: WriteJournal): Promise<void> {
  if ((await stat(path)).size <= maxFileBytes) return;
  const kept = (await readMessages(path)).map((message) => JSON.stringify(message));
  await replaceFile(path, Buffer.from(`${kept.join("\n")}\n`), { journal, mode: 0o600 });
}

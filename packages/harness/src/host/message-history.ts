/** Messages that the person has sent in this workspace: one JSON text a line, appended, readable by the person alone. */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readPlain, replaceFile, requirePlain, type WriteJournal, withoutWaiting } from "@localharness/tools";

/** What is offered again: as many as the editor of the screen keeps. */
const mostMessages = 100;
/** A longer message is a paste that nobody looks for in a history. */
const longestMessage = 20_000;
/** From here on the file is written anew with its newest messages. */
const longestFile = 2 * 1024 * 1024;

export interface MessageHistory {
  /** Oldest first; none when nothing is kept or can be read. */
  read(): Promise<readonly string[]>;
  /** Rejects with the system's error when it cannot be kept. */
  remember(message: string): Promise<void>;
}

/** `state` undefined: there is nowhere to keep anything. `mask` takes known secrets out. */
export function openMessageHistory(
  state: string | undefined,
  workspace: string,
  mask: (text: string) => string,
  journal: WriteJournal,
): MessageHistory {
  if (state === undefined) return { read: async () => [], remember: async () => undefined };
  const path = historyPath(state, workspace);
  return {
    read: () => readMessages(path),
    async remember(message) {
      if (message.trim() === "" || message.length > longestMessage) return;
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
  // The same message twice in a row is one step back in the history.
  return messages.filter((message, index) => message !== messages[index - 1]).slice(-mostMessages);
}

/** A line that was torn, or written by something else, is left out. */
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
    // A line feed before it as well: what a crash has torn off does not take this message with it.
    await file.write(`\n${line}\n`);
  } finally {
    await file.close();
  }
}

async function shorten(path: string, journal: WriteJournal): Promise<void> {
  if ((await stat(path)).size <= longestFile) return;
  const kept = (await readMessages(path)).map((message) => JSON.stringify(message));
  await replaceFile(path, Buffer.from(`${kept.join("\n")}\n`), { journal, mode: 0o600 });
}

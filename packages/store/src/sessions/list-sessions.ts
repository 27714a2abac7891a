/** Lists the sessions of a workspace, newest first. Reads only the beginning and the end of most files. */
import { closeSync, fstatSync, readdirSync, readSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { defined } from "@localharness/protocol";
import { openPlain } from "@localharness/workspace/files/plain-file";
import { createMessageCounter } from "./count-messages.ts";
import { readSessionFile } from "./read-session.ts";
import { isSessionId, sessionEnding } from "./session-place.ts";
import { readRecord, type SessionHeader, type SessionNote } from "./session-record.ts";

export interface ListedSession {
  readonly id: string;
  /** The name that the person gave the session, or the beginning of its first message. */
  readonly name: string;
  /** The modification time of the file, in Unix milliseconds. */
  readonly changed: number;
  /** The number of messages of the person and of the model. */
  readonly messages: number;
  readonly model: string;
  readonly bytes: number;
  readonly parent?: { readonly id: string; readonly seq: number };
  /** Present if a run (`-p`, `loop`) made the session, not a chat. */
  readonly oneShot?: true;
}

const headBytes = 1024;
const tailBytes = 2048;

/** Returns the sessions of a folder, newest first. Skips files that cannot be read as sessions. Never rejects. */
export async function listSessionFiles(folder: string): Promise<readonly ListedSession[]> {
  const found: ListedSession[] = [];
  const buffer = Buffer.alloc(headBytes + tailBytes);
  for (const id of sessionIds(folder)) {
    const listed = readEnds(folder, id, buffer) ?? (await readWhole(folder, id));
    if (listed !== undefined) found.push(listed);
  }
  return found.toSorted((left, right) => right.changed - left.changed || (left.id < right.id ? 1 : -1));
}

/** Which sessions may be continued without being named: those of chats, or also those of runs such as `-p`. */
export type Continued = "chats" | "all";

/** Returns the sessions that chats made; all sessions if chats made none. */
export function sessionsOfChats<Session extends Pick<ListedSession, "oneShot">>(
  all: readonly Session[],
): readonly Session[] {
  const chats = all.filter(({ oneShot }) => oneShot !== true);
  return chats.length === 0 ? all : chats;
}

/**
 * Returns the id of the session that was used last; undefined if there is none. With `chats` it is a session of a chat if
 * there is one. Skips sessions without messages, because they have nothing to continue.
 */
export async function newestSession(folder: string, of: Continued): Promise<string | undefined> {
  const times = sessionIds(folder).flatMap((id) => {
    const stats = statsOf(join(folder, id + sessionEnding));
    return stats === undefined || stats.size === 0 ? [] : [{ id, changed: stats.mtimeMs }];
  });
  times.sort((left, right) => right.changed - left.changed || (left.id < right.id ? 1 : -1));
  const buffer = Buffer.alloc(headBytes + tailBytes);
  let newestRun: string | undefined;
  for (const { id } of times) {
    const session = readEnds(folder, id, buffer) ?? (await readWhole(folder, id));
    if (session === undefined || session.messages === 0) continue;
    if (of === "all" || session.oneShot !== true) return id;
    newestRun ??= id;
  }
  return newestRun;
}

/** Returns the stats of a file; undefined if they cannot be read, as for a missing file or a dangling link. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Returns the ids of the session files in a folder; none if it cannot be read. Skips names that are not valid ids, such as
 * backup copies.
 */
export function sessionIds(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(sessionEnding))
      .map((name) => name.slice(0, -sessionEnding.length))
      .filter(isSessionId);
  } catch {
    return [];
  }
}

/**
 * Reads a session from the first and the last bytes of its file. Returns undefined if the header or the summary is not in
 * these bytes, or if the file cannot be read.
 */
function readEnds(folder: string, id: string, buffer: Buffer): ListedSession | undefined {
  let file: number | undefined;
  try {
    file = openPlain(join(folder, id + sessionEnding));
    const { size, mtimeMs } = fstatSync(file);
    const head = readSync(file, buffer, 0, headBytes, 0);
    const header = headerOf(buffer.toString("utf8", 0, head), id);
    if (header === undefined) return undefined;
    const from = Math.max(0, size - tailBytes);
    const tail = readSync(file, buffer, headBytes, tailBytes, from);
    const note = noteOf(buffer.toString("utf8", headBytes, headBytes + tail));
    return note === undefined ? undefined : listed(id, header, note, mtimeMs, size);
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function headerOf(text: string, id: string): SessionHeader | undefined {
  const end = text.indexOf("\n");
  const record = readRecord(end === -1 ? text : text.slice(0, end), id);
  return record.kind === "header" ? record.header : undefined;
}

/** Returns the last summary in the text from the end of a file; undefined if the text contains no summary. */
function noteOf(text: string): SessionNote | undefined {
  for (const line of text.split("\n").toReversed()) {
    if (!line.startsWith('{"summary":')) continue;
    const record = readRecord(line, "");
    if (record.kind === "note") return record.note;
  }
  return undefined;
}

/**
 * Reads a session from its whole file, because after a crash the file has no summary at its end. Returns undefined if the
 * file cannot be read as a session.
 */
async function readWhole(folder: string, id: string): Promise<ListedSession | undefined> {
  try {
    const path = join(folder, id + sessionEnding);
    const { header, events, note } = await readSessionFile(path);
    const counter = createMessageCounter(note?.name);
    for (const event of events) counter.count(event);
    const { mtimeMs, size } = statSync(path);
    return listed(id, header, counter.note(), mtimeMs, size);
  } catch {
    return undefined;
  }
}

/**
 * Returns the entry of a session in a list. Its id is the file's name, because a copy of a session contains the id of
 * the original.
 */
function listed(
  id: string,
  { parent, oneShot }: SessionHeader,
  note: SessionNote,
  changed: number,
  bytes: number,
): ListedSession {
  const { messages, model } = note;
  const name = note.name ?? note.title;
  return { id, name, changed, messages, model, bytes, ...defined({ parent, oneShot }) };
}

/** The sessions of a workspace, newest first, from the beginning and the end of each file alone. */
import { closeSync, fstatSync, readdirSync, readSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { openPlain } from "@localharness/tools";
import { createMessageCounter } from "./count-messages.ts";
import { readSessionFile } from "./read-session.ts";
import { isSessionId, sessionEnding } from "./session-place.ts";
import { readRecord, type SessionHeader, type SessionNote } from "./session-record.ts";

export interface ListedSession {
  readonly id: string;
  /** What the person called it, or the beginning of the first message. */
  readonly name: string;
  /** Unix milliseconds of its last event. */
  readonly changed: number;
  /** Of the person and of the model. */
  readonly messages: number;
  readonly model: string;
  readonly bytes: number;
  readonly parent?: { readonly id: string; readonly seq: number };
}

const headBytes = 1024;
const tailBytes = 2048;

/** Files that are no sessions are left out. Never throws. */
export async function listSessionFiles(folder: string): Promise<readonly ListedSession[]> {
  const found: ListedSession[] = [];
  const buffer = Buffer.alloc(headBytes + tailBytes);
  for (const id of sessionIds(folder)) {
    const listed = look(folder, id, buffer) ?? (await count(folder, id));
    if (listed !== undefined) found.push(listed);
  }
  return found.toSorted((left, right) => right.changed - left.changed || (left.id < right.id ? 1 : -1));
}

/** The id of the session that was used last; one in which nothing was said is nothing to go on with. */
export async function newestSession(folder: string): Promise<string | undefined> {
  const times = sessionIds(folder).flatMap((id) => {
    const stats = statsOf(join(folder, id + sessionEnding));
    return stats === undefined || stats.size === 0 ? [] : [{ id, changed: stats.mtimeMs }];
  });
  times.sort((left, right) => right.changed - left.changed || (left.id < right.id ? 1 : -1));
  const buffer = Buffer.alloc(headBytes + tailBytes);
  for (const { id } of times) {
    const { messages = 0 } = look(folder, id, buffer) ?? (await count(folder, id)) ?? {};
    if (messages > 0) return id;
  }
  return undefined;
}

/** Undefined for what is not there, or leads nowhere. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Names that could not be asked for by their id, as copies of other programs have them, are none. */
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

/** Undefined when head and tail do not say enough. */
function look(folder: string, id: string, buffer: Buffer): ListedSession | undefined {
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

/** The summary, when nothing but short records follows it. */
function noteOf(text: string): SessionNote | undefined {
  for (const line of text.split("\n").toReversed()) {
    if (!line.startsWith('{"summary":')) continue;
    const record = readRecord(line, "");
    if (record.kind === "note") return record.note;
  }
  return undefined;
}

/** A session that was broken off has no summary at its end: it is read. */
async function count(folder: string, id: string): Promise<ListedSession | undefined> {
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

/** The name of the file counts, not the id in a copy of another one. */
function listed(
  id: string,
  { parent }: SessionHeader,
  note: SessionNote,
  changed: number,
  bytes: number,
): ListedSession {
  const { messages, model } = note;
  const name = note.name ?? note.title;
  return { id, name, changed, messages, model, bytes, ...(parent === undefined ? {} : { parent }) };
}

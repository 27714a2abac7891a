/** Opens a saved session to continue it in its own file, or in a branch (a copy) if that is impossible. */
import { closeSync, existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { closeHistory, usageError } from "@localharness/engine";
import { countText, defined, reasonOf, type SessionEvent } from "@localharness/protocol";
import { openPlain } from "@localharness/workspace/files/plain-file";
import { createMessageCounter } from "./count-messages.ts";
import { isSound } from "./is-sound.ts";
import { mendEvents } from "./mend-events.ts";
import { type ReadSession, readSessionFile } from "./read-session.ts";
import { lockSession, type SessionLock, whereOpen } from "./session-lock.ts";
import { inodeOf, isGone, placeOf, sessionEnding, sessionPath } from "./session-place.ts";
import { appending, openSessionWriter, type SessionWriter } from "./session-writer.ts";
import type { Masking } from "./split-secret.ts";

/** The folder of the sessions, and the data for new sessions. */
export interface SessionShelf extends Masking {
  readonly folder: string;
  /** The real path of the workspace. */
  readonly workspace: string;
  readonly systemPrompt: string;
  freshId(): string;
}

/** A saved session that is open to be continued. */
export interface EarlierSession {
  readonly id: string;
  /** All events so far. Every call has a result, and every turn has ended. */
  readonly events: readonly SessionEvent[];
  /**
   * The `seq` of the last event that was in the file. The events after it end what was open when the program stopped. In a
   * branch, whose file is new, the `seq` of the last event of all.
   */
  readonly readTo: number;
  /** Messages for the person about problems of the file, and about what was done because of them. */
  readonly remarks: readonly string[];
  readonly writer: SessionWriter;
}

/**
 * Opens a session to continue it. If its file cannot be continued, the result is a branch with another id, and a remark says
 * why. Rejects with a `HarnessError` if the session is missing, cannot be read or has no events.
 */
export async function takeUpSession(shelf: SessionShelf, id: string): Promise<EarlierSession> {
  const path = placeOf(shelf.folder, id);
  const locked = existsSync(path) ? await lockIfPossible(path) : undefined;
  try {
    const read = await readSessionFile(path);
    if (read.events.length === 0) throw usageError(`${path} has no events to continue from`);
    const why = whyBranch(path, locked, read);
    const moved = whereFrom(shelf, path, read);
    if (why === undefined && locked?.kind === "ours") {
      const opened = goOn(shelf, path, read, locked.lock);
      return { ...opened, remarks: [...moved, ...opened.remarks] };
    }
    if (locked?.kind === "ours") locked.lock.release();
    const events = isDamaged(read) ? mendEvents(read.events, shelf) : closeHistory(read.events);
    const branch = writeBranch(shelf, id, read, events);
    const remark = `${why ?? "the session cannot be opened"}: it continues in the branch ${branch.id}; the file stays unchanged, ${path}`;
    return { ...branch, remarks: [...moved, remark] };
  } catch (error) {
    if (locked?.kind === "ours") locked.lock.release();
    throw error;
  }
}

/**
 * Creates a session with all events of an earlier session before the message that has the `seq` `beforeSeq`. Rejects with a
 * `HarnessError` if that event is not a message of the person, or if the earlier session cannot be read.
 */
export async function forkSession(
  shelf: SessionShelf,
  id: string,
  beforeSeq: number,
): Promise<EarlierSession> {
  const read = await readSessionFile(placeOf(shelf.folder, id));
  const at = read.events.findIndex(({ seq }) => seq === beforeSeq);
  const message = read.events[at];
  if (message?.type !== "user-message" || message.from !== "person") {
    throw usageError(
      `event ${beforeSeq} of session ${id} is not one of your messages: a fork begins right before one of them`,
    );
  }
  const shared = withoutItsTurn(read.events.slice(0, at));
  // The events are repaired after the cut, because the repair renumbers them, while `beforeSeq` is a number of the
  // file.
  const events = isDamaged(read) ? mendEvents(shared, shelf) : closeHistory(shared);
  return { ...writeBranch(shelf, id, read, events), remarks: [] };
}

/**
 * Drops a `turn-start` at the end of the events, because its message is cut off. If other messages follow the `turn-start`,
 * such as notes of the harness to the model, nothing is dropped, and a `turn-end` is added.
 */
function withoutItsTurn(events: readonly SessionEvent[]): readonly SessionEvent[] {
  const before = events.findLastIndex(({ type }) => type !== "user-message");
  const begun = events[before];
  if (begun?.type !== "turn-start") return events;
  const told = events.at(-1);
  if (told === undefined || told === begun) return events.slice(0, before);
  const { sessionId, turnId, seq } = told;
  return [...events, { sessionId, turnId, seq: seq + 1, type: "turn-end", reason: "done", denied: 0 }];
}

/**
 * Returns true if events are lost or do not fit together. A lost event may be a `tool-start`, so a call without that
 * event may have run.
 */
function isDamaged({ lost, endLost, events }: ReadSession): boolean {
  return lost > 0 || endLost || !isSound(events);
}

type Locked =
  | { readonly kind: "ours"; readonly lock: SessionLock }
  | { readonly kind: "others" }
  | { readonly kind: "impossible"; readonly reason: string };

async function lockIfPossible(path: string): Promise<Locked> {
  try {
    const lock = await lockSession(path);
    return lock === undefined ? { kind: "others" } : { kind: "ours", lock };
  } catch (error) {
    return { kind: "impossible", reason: reasonOf(error) };
  }
}

function whyBranch(path: string, locked: Locked | undefined, read: ReadSession): string | undefined {
  if (locked?.kind === "others") return `the session is open ${whereOpen(path) ?? "in another window"}`;
  if (locked?.kind === "impossible") return `the session cannot be locked (${locked.reason})`;
  if (read.lost > 0) {
    return `the session's file is damaged: ${countText(read.lost, "event")} ${read.lost === 1 ? "is" : "are"} lost, ${countText(read.unreadable, "line")} cannot be read`;
  }
  if (read.endLost) {
    return `the session's file is damaged: ${countText(read.unreadable, "line")} cannot be read, and its end is lost`;
  }
  if (read.clashing > 0) {
    return `the session's file was written by two programs at once: ${countText(read.clashing, "event")} of one of them ${read.clashing === 1 ? "is" : "are"} left out`;
  }
  if (isDamaged(read)) {
    return "the session's file is damaged: some calls have no result, or some results no call";
  }
  try {
    closeSync(openPlain(path, appending));
    return undefined;
  } catch (error) {
    return `the session's file cannot be written (${reasonOf(error)})`;
  }
}

/** Returns what to tell the person about a session of another folder; nothing for a session of this folder. */
function whereFrom(shelf: SessionShelf, path: string, { header }: ReadSession): readonly string[] {
  if (dirname(path) === shelf.folder) return [];
  const { workspace: old } = header;
  const take = isGone(old)
    ? `. localharness sessions move ${quoted(old)} NEW takes its sessions to its new place`
    : "";
  return [
    `this is a session of ${old}${isGone(old) ? ", which is gone" : ""}; it runs in ${shelf.workspace} now, under the trust and the rules of this folder${take}`,
  ];
}

/** Returns a path as a word of the shell. */
function quoted(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function goOn(shelf: SessionShelf, path: string, read: ReadSession, lock: SessionLock): EarlierSession {
  const counter = createMessageCounter(read.note?.name);
  for (const event of read.events) counter.count(event);
  const id = basename(path, sessionEnding);
  const writer = openSessionWriter({
    path,
    lock,
    torn: read.torn,
    after: read.events.at(-1)?.seq ?? 0,
    counter,
    mask: shelf.mask,
    secrets: shelf.secrets,
  });
  const events = closeHistory(read.events);
  for (const event of events.slice(read.events.length)) writer.append(event);
  const remarks =
    read.unreadable === 0
      ? []
      : [
          `${countText(read.unreadable, "line")} of the session's file cannot be read${read.torn ? ", because the program or the machine stopped while writing" : ""}; nothing that was shown as done is missing`,
        ];
  return { id, events, readTo: read.events.at(-1)?.seq ?? 0, remarks, writer };
}

function writeBranch(
  shelf: SessionShelf,
  from: string,
  read: ReadSession,
  events: readonly SessionEvent[],
): Omit<EarlierSession, "remarks"> {
  const id = shelf.freshId();
  const counter = createMessageCounter(read.note?.name);
  const parent = { id: from, seq: events.at(-1)?.seq ?? 0 };
  const inode = defined({ inode: inodeOf(shelf.workspace) });
  const header = { id, workspace: shelf.workspace, created: Date.now(), ...inode, parent };
  const writer = openSessionWriter({
    path: sessionPath(shelf.folder, id),
    header,
    counter,
    mask: shelf.mask,
    secrets: shelf.secrets,
  });
  const own = events.map((event) => ({ ...event, sessionId: id }));
  for (const event of own) writer.append(event);
  writer.writeNote();
  return { id, events: own, readTo: own.at(-1)?.seq ?? 0, writer };
}

/** Returns the person's messages in a session, oldest first, each with the `seq` to pass to `forkSession`. */
export function personMessages(events: readonly SessionEvent[]): readonly { seq: number; content: string }[] {
  return events.flatMap((event) =>
    event.type === "user-message" && event.from === "person"
      ? [{ seq: event.seq, content: event.content }]
      : [],
  );
}

/** Opens a session from the disk to go on with it: in its own file, or, where that cannot be, in a branch of it. */
import { closeSync, existsSync } from "node:fs";
import { closeHistory, usageError } from "@localharness/engine";
import { countText, reasonOf, type SessionEvent } from "@localharness/protocol";
import { openPlain } from "@localharness/tools";
import { createMessageCounter } from "./count-messages.ts";
import { isSound } from "./is-sound.ts";
import { mendEvents } from "./mend-events.ts";
import { type ReadSession, readSessionFile } from "./read-session.ts";
import { lockSession, type SessionLock, whereOpen } from "./session-lock.ts";
import { sessionPath } from "./session-place.ts";
import { appending, openSessionWriter, type SessionWriter } from "./session-writer.ts";
import type { Masking } from "./split-secret.ts";

/** Where sessions lie and what is written into them. */
export interface SessionShelf extends Masking {
  readonly folder: string;
  /** Real path. */
  readonly workspace: string;
  readonly systemPrompt: string;
  freshId(): string;
}

/** A session that can be gone on with. */
export interface EarlierSession {
  readonly id: string;
  /** All that has happened, nothing left open. */
  readonly events: readonly SessionEvent[];
  /** For the person: what was wrong with the file, and what was done. */
  readonly remarks: readonly string[];
  readonly writer: SessionWriter;
}

/** Throws a `HarnessError` for a session that is not there or cannot be read. */
export async function takeUpSession(shelf: SessionShelf, id: string): Promise<EarlierSession> {
  const path = sessionPath(shelf.folder, id);
  const locked = existsSync(path) ? await lockIfPossible(path) : undefined;
  try {
    const read = await readSessionFile(path);
    if (read.events.length === 0) throw usageError(`${path} holds nothing to go on with`);
    const why = whyBranch(path, locked, read);
    if (why === undefined && locked?.kind === "ours") return goOn(shelf, id, read, locked.lock);
    if (locked?.kind === "ours") locked.lock.release();
    const events = isDamaged(read) ? mendEvents(read.events, shelf) : closeHistory(read.events);
    const branch = writeBranch(shelf, id, read, events);
    const remark = `${why ?? "it cannot be opened"}: this goes on in a branch of it, ${branch.id}; the file is left as it is, ${path}`;
    return { ...branch, remarks: [remark] };
  } catch (error) {
    if (locked?.kind === "ours") locked.lock.release();
    throw error;
  }
}

/** A new session that shares everything before the given event with an earlier one. */
export async function forkSession(
  shelf: SessionShelf,
  id: string,
  beforeSeq: number,
): Promise<EarlierSession> {
  const path = sessionPath(shelf.folder, id);
  const read = await readSessionFile(path);
  const at = read.events.findIndex(({ seq }) => seq === beforeSeq);
  const message = read.events[at];
  if (message?.type !== "user-message" || message.from !== "person")
    throw usageError(`event ${beforeSeq} of session ${id} is no message of yours: a fork begins before one`);
  const shared = withoutItsTurn(read.events.slice(0, at));
  // Mended only now: the numbers that the person has seen are those in the file.
  const events = isDamaged(read) ? mendEvents(shared, shelf) : closeHistory(shared);
  return { ...writeBranch(shelf, id, read, events), remarks: [] };
}

/** The turn that the message began is not part of a fork; what the model was told at its start is, as it is still true. */
function withoutItsTurn(events: readonly SessionEvent[]): readonly SessionEvent[] {
  const before = events.findLastIndex(({ type }) => type !== "user-message");
  const begun = events[before];
  if (begun?.type !== "turn-start") return events;
  const told = events.at(-1);
  if (told === undefined || told === begun) return events.slice(0, before);
  // Nothing of it was broken off.
  const { sessionId, turnId, seq } = told;
  return [...events, { sessionId, turnId, seq: seq + 1, type: "turn-end", reason: "done", denied: 0 }];
}

/** What is lost may be the start of a call: then one without a start may have run. */
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
  if (read.lost > 0)
    return `the session's file is damaged: ${countText(read.lost, "event")} of it ${read.lost === 1 ? "is" : "are"} lost, ${countText(read.unreadable, "line")} cannot be read`;
  if (read.endLost)
    return `the session's file is damaged: ${countText(read.unreadable, "line")} cannot be read, and what stood at its end is lost`;
  if (read.clashing > 0)
    return `the session's file was written by two programs at once: ${countText(read.clashing, "event")} of the one ${read.clashing === 1 ? "is" : "are"} left out`;
  if (isDamaged(read))
    return "the session's file is damaged: calls in it have lost their results, or results their calls";
  try {
    closeSync(openPlain(path, appending));
    return undefined;
  } catch (error) {
    return `the session's file cannot be written (${reasonOf(error)})`;
  }
}

function goOn(shelf: SessionShelf, id: string, read: ReadSession, lock: SessionLock): EarlierSession {
  const counter = createMessageCounter(read.note?.name);
  for (const event of read.events) counter.count(event);
  const path = sessionPath(shelf.folder, id);
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
          `${countText(read.unreadable, "line")} of the session's file cannot be read${read.torn ? ", torn when the program or the machine ended" : ""}; nothing that was shown as done is missing`,
        ];
  return { id, events, remarks, writer };
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
  const header = { id, workspace: shelf.workspace, created: Date.now(), parent };
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
  return { id, events: own, writer };
}

/** The messages of the person in a session, oldest first, with the `seq` that a fork before them takes. */
export function personMessages(events: readonly SessionEvent[]): readonly { seq: number; content: string }[] {
  return events.flatMap((event) =>
    event.type === "user-message" && event.from === "person"
      ? [{ seq: event.seq, content: event.content }]
      : [],
  );
}

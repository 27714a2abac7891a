/** What a server and its clients say to each other: the messages of the WebSocket, and the replies to requests. */

import type { SessionEvent } from "../event.ts";
import type { CommandReport, Host, SessionSummary } from "../host.ts";
import type { HubFacts } from "../hub.ts";
import { isJsonObject } from "../json.ts";
import type { PermissionMode } from "../permission-request.ts";

/** The data of an open session that a list of sessions shows. */
export interface RoomState {
  readonly id: string;
  readonly mode: PermissionMode;
  readonly model: string;
  readonly running: boolean;
  /** The number of questions that wait for an answer. */
  readonly questions: number;
  readonly watchers: number;
  /** The `seq` of the newest event. */
  readonly last: number;
}

export interface RoomsChange {
  /** The states, as they are now, of the sessions that may have changed. */
  readonly rooms: readonly RoomState[];
  /** The ids of the sessions that were closed. */
  readonly closed: readonly string[];
}

/** The question whose answer counted, and the client that gave the answer. */
export interface AnswerGiven {
  /** The id of the question, which is about a call or comes from an MCP server. */
  readonly requestId: string;
  /** The name of the client, such as `Firefox on Linux`. */
  readonly by: string;
}

/** The facts about the log in the first message with events. */
export interface FirstEvents {
  /** The id of the log. A client that connects again names it with the `seq` of its newest event. */
  readonly log: string;
  /**
   * True if `events` begins with the first event of the session. Otherwise `events` continue the events that the client
   * has.
   */
  readonly whole: boolean;
  /**
   * The `seq` up to which this log has the same events as another log of this session that the client may have read.
   * Later events may differ, even with the same `seq`.
   */
  readonly sharedTo: number;
}

/** A message of the server, as JSON in one text frame. Clients send nothing. */
export type SocketMessage =
  /** The open sessions: at the beginning the whole list, then those that changed, and the ids of those that were closed. */
  | { readonly kind: "rooms"; readonly whole: true; readonly rooms: readonly RoomState[] }
  | ({ readonly kind: "rooms"; readonly whole?: false } & RoomsChange)
  /** `more` is true if another message with events follows at once. */
  | ({
      readonly kind: "events";
      readonly events: readonly SessionEvent[];
      readonly more?: true;
    } & Partial<FirstEvents>)
  | ({ readonly kind: "answered" } & AnswerGiven)
  /** The session is not open, or was closed. No events follow. */
  | { readonly kind: "closed" };

/** The code with which the server closes the WebSocket of a client whose key is no longer valid. */
export const keyRefusedCode = 4001;

/**
 * The methods of `Host` that work through a link. The others need the person's own terminal, editor or clipboard;
 * `open` and `runCommand` have separate routes.
 */
export type HostMethod = Exclude<
  keyof Host,
  "open" | "runCommand" | "editDraft" | "runInTerminal" | "readClipboardImage"
>;

/** The reply about the program. */
export type HubReply = HubFacts & { readonly open: readonly RoomState[] };

export interface SessionsReply {
  readonly open: readonly RoomState[];
  readonly saved: readonly SessionSummary[];
}

export interface MethodReply<Result = unknown> {
  readonly result: Result;
  /** The state of the session after the call. */
  readonly state: RoomState;
}

/** A line of the reply to a shell command: a piece of output, and at the end a report or an error. */
export interface ShellLine {
  readonly output?: string;
  readonly report?: CommandReport;
  readonly error?: string;
}

/** A one-time code, and the address for other machines if they can reach the server. */
export interface CodeReply {
  readonly code: string;
  readonly minutes: number;
  readonly outer?: string;
}

const kinds: ReadonlySet<unknown> = new Set<SocketMessage["kind"]>(["rooms", "events", "answered", "closed"]);

/** Returns the message in a frame; undefined for a frame of an unknown kind, which a newer server may send. */
export function readSocketMessage(frame: string): SocketMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(frame);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value) || !kinds.has(value["kind"])) return undefined;
  return value as unknown as SocketMessage;
}

/** Returns the open sessions after a message. */
export function roomsAfter(
  before: readonly RoomState[],
  message: Extract<SocketMessage, { kind: "rooms" }>,
): readonly RoomState[] {
  if (message.whole === true) return message.rooms;
  const changed = new Map(message.rooms.map((room) => [room.id, room]));
  const gone = new Set(message.closed);
  const known = before.filter(({ id }) => !gone.has(id)).map((room) => changed.get(room.id) ?? room);
  const ids = new Set(known.map(({ id }) => id));
  return [...known, ...message.rooms.filter(({ id }) => !ids.has(id))];
}

/** The messages of the server over WebSocket, as `packages/server/src/socket.ts` sends them. */
import { isJsonObject, type PermissionMode, type SessionEvent } from "@localharness/protocol";

/** An open session, as the server lists it. */
export interface RoomState {
  readonly id: string;
  readonly mode: PermissionMode;
  readonly model: string;
  readonly running: boolean;
  readonly questions: number;
  readonly watchers: number;
  readonly last: number;
}

export type SocketMessage =
  | { readonly kind: "rooms"; readonly whole: true; readonly rooms: readonly RoomState[] }
  /** The open sessions that changed, and the ids of those that were closed. */
  | {
      readonly kind: "rooms";
      readonly whole?: false;
      readonly rooms: readonly RoomState[];
      readonly closed: readonly string[];
    }
  | {
      readonly kind: "events";
      readonly events: readonly SessionEvent[];
      /** The id of the log that the events are numbered in; only in the first message with events. */
      readonly log?: string;
      /** True if these are the first events of the session, so that the client drops what it has. */
      readonly whole?: boolean;
      readonly more?: true;
    }
  | { readonly kind: "answered"; readonly requestId: string; readonly by: string }
  | { readonly kind: "closed" };

const kinds = new Set(["rooms", "events", "answered", "closed"]);

/** Returns the message in a frame; undefined for a frame of an unknown kind, which a newer server may send. */
export function readSocketMessage(frame: string): SocketMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(frame);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value) || !kinds.has(String(value["kind"]))) return undefined;
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

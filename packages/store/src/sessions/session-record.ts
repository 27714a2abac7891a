/**
 * Reads and writes the lines of a session's file: a header, then the events in order, with a summary for lists after
 * each turn. `docs/sessions.md` describes the format.
 */
import {
  defined,
  type EventBody,
  isJsonObject,
  type JsonObject,
  readImages,
  type SessionEvent,
} from "@localharness/protocol";

/** The format version that this program writes. */
const formatVersion = 1;

export interface SessionHeader {
  readonly id: string;
  /** The real path of the workspace. */
  readonly workspace: string;
  /** The time when the session was created, in Unix milliseconds. */
  readonly created: number;
  /** The number of the workspace in its file system, by which it is known again after a rename. */
  readonly inode?: number;
  /** The session from which this session was forked, and the `seq` of the last event that both share. */
  readonly parent?: { readonly id: string; readonly seq: number };
  /** Present if a run with one message (`-p`) made the session, not a chat. */
  readonly oneShot?: true;
}

/** The summary of a session, which lists show. */
export interface SessionNote {
  /** The name that the person gave the session. */
  readonly name?: string;
  /** The beginning of the first message. */
  readonly title: string;
  /** The number of messages of the person and of the model. */
  readonly messages: number;
  readonly model: string;
}

export type SessionRecord =
  | { readonly kind: "header"; readonly header: SessionHeader }
  | { readonly kind: "newer"; readonly version: number }
  | {
      readonly kind: "event";
      readonly event: SessionEvent;
      /** The lowest `seq` that the record covers. One record may join several deltas. */
      readonly first: number;
    }
  | { readonly kind: "note"; readonly note: SessionNote }
  | { readonly kind: "unreadable" };

export function headerLine({ id, workspace, created, inode, parent, oneShot }: SessionHeader): string {
  const rest = defined({ inode, parent, oneShot });
  const header = { localharness: "session", version: formatVersion, id, workspace, created, ...rest };
  return `${JSON.stringify(header)}\n`;
}

export function noteLine(note: SessionNote): string {
  return `${JSON.stringify({ summary: note })}\n`;
}

/**
 * Returns the line of an event. It begins with `{"seq":`, so that readers can find a record whose line break before it
 * is lost.
 */
export function eventLine(event: SessionEvent, first: number, time: number): string {
  const { seq, sessionId: _inHeader, ...rest } = event;
  return `${JSON.stringify({ seq, ...(first === seq ? {} : { first }), time, ...rest })}\n`;
}

/** Parses a line without its line break, and sets `sessionId` in an event. Never throws. */
export function readRecord(line: string, sessionId: string): SessionRecord {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: "unreadable" };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { kind: "unreadable" };
  const fields = value as JsonObject;
  if (typeof fields["seq"] === "number") return readEvent(fields, sessionId);
  if (fields["localharness"] === "session") return readHeader(fields);
  const note = fields["summary"];
  return note !== undefined && isJsonObject(note) ? readNote(note) : { kind: "unreadable" };
}

function readHeader({ version, id, workspace, created, inode, parent, oneShot }: JsonObject): SessionRecord {
  if (typeof version === "number" && version > formatVersion) return { kind: "newer", version };
  if (version !== formatVersion || typeof id !== "string" || typeof workspace !== "string") {
    return { kind: "unreadable" };
  }
  const made = {
    ...(typeof inode === "number" ? { inode } : {}),
    ...(oneShot === true ? ({ oneShot } as const) : {}),
  };
  const header = { id, workspace, created: typeof created === "number" ? created : 0, ...made };
  if (parent === undefined || !isJsonObject(parent)) return { kind: "header", header };
  const { id: from, seq } = parent;
  return typeof from === "string" && typeof seq === "number"
    ? { kind: "header", header: { ...header, parent: { id: from, seq } } }
    : { kind: "header", header };
}

function readNote({ name, title, messages, model }: JsonObject): SessionRecord {
  const note = {
    title: typeof title === "string" ? title : "",
    messages: typeof messages === "number" ? messages : 0,
    model: typeof model === "string" ? model : "",
  };
  return { kind: "note", note: typeof name === "string" && name !== "" ? { ...note, name } : note };
}

function readEvent(fields: JsonObject, sessionId: string): SessionRecord {
  const { first, time: _when, ...rest } = fields;
  const { seq, type } = rest;
  if (!isCount(seq) || typeof type !== "string" || !isWhole(type, rest)) return { kind: "unreadable" };
  const from = isCount(first) && first <= seq ? first : seq;
  const turnId = typeof rest["turnId"] === "string" ? rest["turnId"] : "";
  // `isWhole` has checked the fields that the reducer reads.
  const event = { ...rest, sessionId, turnId, seq } as unknown as SessionEvent;
  return { kind: "event", event, first: from };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}

type Shape = "string" | "optional string" | "number" | "object" | "array" | "arguments";

/** The fields of each event that the view and the engine need, with their types. Events of unknown types are kept. */
const shapes: { readonly [type in EventBody["type"]]?: Readonly<Record<string, Shape>> } = {
  "session-start": {
    model: "string",
    provider: "string",
    workspace: "string",
    mode: "string",
    tools: "array",
    systemPrompt: "string",
  },
  "session-resumed": {
    model: "string",
    provider: "string",
    workspace: "string",
    mode: "string",
    tools: "array",
  },
  "mode-changed": { mode: "string" },
  "folders-changed": { folders: "array" },
  "user-message": { content: "string", from: "string" },
  "iteration-start": { iteration: "number" },
  compaction: { shortened: "array" },
  "executor-state": { state: "string" },
  "text-delta": { text: "string" },
  "reasoning-delta": { text: "string" },
  "answer-restart": {},
  "tool-call-start": { index: "number", name: "string" },
  "tool-call-end": { index: "number", id: "string", name: "string", arguments: "arguments" },
  "tool-call-withdrawn": { index: "number" },
  "tool-call-error": { index: "number", raw: "string" },
  "model-retry": { message: "string" },
  "model-error": { code: "string" },
  "permission-request": { request: "object" },
  "tool-start": { callId: "string", toolName: "string", arguments: "object" },
  "agent-usage": { callId: "string", agent: "string", model: "string", durationMs: "number" },
  "tool-result": {
    callId: "string",
    toolName: "string",
    result: "object",
    display: "string",
    why: "optional string",
    diff: "optional string",
  },
  notice: { level: "string", code: "string", message: "string" },
  "turn-end": { reason: "string" },
};

const shapeRows: ReadonlyMap<string, readonly (readonly [string, Shape])[]> = new Map(
  Object.entries(shapes).map(([type, shape]) => [type, Object.entries(shape)]),
);

function isWhole(type: string, fields: JsonObject): boolean {
  if (type === "user-message" && fields["images"] !== undefined && !readImages(fields["images"]).ok) {
    return false;
  }
  if (type === "compaction" && !isWholeCompaction(fields)) return false;
  return (shapeRows.get(type) ?? []).every(([key, expected]) => hasShape(fields[key], expected));
}

function isWholeCompaction({ shortened, folded }: JsonObject): boolean {
  if (folded === undefined) return isShortenedList(shortened);
  if (!isJsonObject(folded) || typeof folded["note"] !== "string") return false;
  if (folded["summary"] !== undefined && typeof folded["summary"] !== "string") return false;
  return isShortenedList(shortened) && Number.isSafeInteger(folded["messages"]);
}

function isShortenedList(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  return value.every(
    (row: unknown) =>
      isJsonObject(row) && typeof row["callId"] === "string" && typeof row["content"] === "string",
  );
}

function hasShape(value: unknown, shape: Shape): boolean {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (shape === "object") return isObject;
  if (shape === "array") return Array.isArray(value);
  if (shape === "optional string") return value === undefined || typeof value === "string";
  if (shape === "arguments") return typeof value === "string" || isObject;
  return typeof value === shape;
}

/** The interface between a server and the program: many sessions of one workspace, each with its link and its host. */
import type { ExportFormat, Host, SessionSummary } from "./host.ts";
import type { SessionLink } from "./session-link.ts";

/** An open session. */
export interface Room {
  readonly link: SessionLink;
  /** The host of this session. Its `open` opens another room and leaves this one open. */
  readonly host: Host;
  /**
   * The `seq` of the last event that was read from the session's file; 0 for a new session. A program that was killed may have
   * shown later events that are not in the file: their numbers are used again.
   */
  readonly readTo: number;
}

export type RoomChoice =
  | { readonly kind: "new" }
  | { readonly kind: "resume"; readonly id: string }
  /** Forks a session right before a user message; `beforeSeq` is the `seq` of that message's event. */
  | { readonly kind: "fork"; readonly id: string; readonly beforeSeq: number };

/** The facts about the program that every client may know. */
export interface HubFacts {
  readonly version: string;
  /** The real path of the workspace. */
  readonly workspace: string;
  /** The sandbox of commands, in words. */
  readonly sandbox: string;
  /** False if sessions that begin now only read, because the person does not trust the folder. */
  readonly trusted: boolean;
  /** True if a sandbox confines commands. */
  readonly confined: boolean;
  /** The maximum number of iterations of a turn. */
  readonly iterationLimit: number;
}

/** A method that fails rejects with an `Error` whose message is for the person. */
export interface Hub {
  readonly facts: HubFacts;
  /** Opens a session. Resolves to the open room if the session is open already. */
  open(which: RoomChoice): Promise<Room>;
  /** Returns the open room of a session; undefined when the session is not open. */
  find(id: string): Room | undefined;
  /** Closes a room: ends its turn and its child processes. The saved session stays. Does nothing when it is not open. */
  close(id: string): Promise<void>;
  /** Returns the saved sessions with messages, newest first. If `words` is not blank, only those that contain each word. */
  listSessions(words: string, signal: AbortSignal): Promise<readonly SessionSummary[]>;
  renameSession(id: string, name: string): Promise<void>;
  /** Deletes a saved session. Rejects while its room is open. */
  deleteSession(id: string): Promise<void>;
  /** Returns a session as text. */
  exportText(id: string, format: ExportFormat): Promise<string>;
  /** Returns at most `limit` paths of the workspace, without those that version control ignores. */
  listFiles(limit: number, signal: AbortSignal): Promise<readonly string[]>;
}

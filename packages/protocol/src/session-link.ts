/** A session, in this process or elsewhere: events come, commands go. The terminal knows nothing else of it. */
import type { Command } from "./command.ts";
import type { PermissionMode, SessionEvent } from "./event.ts";

export interface SessionLink {
  readonly id: string;
  /** What happened before the screen came, oldest first; folded without being played. */
  readonly history: readonly SessionEvent[];
  /** Calls the listener for every event after `history`; returns what ends that. */
  subscribe(listener: (event: SessionEvent) => void): () => void;
  send(command: Command): void;
  /** The mode that holds now. Its events tell of it only once the session has begun. */
  mode(): PermissionMode;
}

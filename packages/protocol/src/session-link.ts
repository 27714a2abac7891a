/** The connection of a screen to a session in this process or in another process. It delivers events and takes commands. */
import type { Command } from "./command.ts";
import type { SessionEvent } from "./event.ts";
import type { PermissionMode } from "./permission-request.ts";

export interface SessionLink {
  readonly id: string;
  /** The events before the screen connected, oldest first. The screen folds them without showing each one. */
  readonly history: readonly SessionEvent[];
  /**
   * Calls the listener with every later event. Returns a function that unsubscribes. Subscribe at once: events
   * that come before the first subscription are lost.
   */
  subscribe(listener: (event: SessionEvent) => void): () => void;
  send(command: Command): void;
  /** Returns the current permission mode. Events report it only after the session has begun. */
  mode(): PermissionMode;
  /** Returns the name of the model that gives the next answer. */
  model(): string;
}

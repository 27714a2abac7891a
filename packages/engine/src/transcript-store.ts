/** Where a session's events are kept. */
import type { SessionEvent } from "@localharness/protocol";

export interface TranscriptStore {
  /** Called once per event, in order. Must not throw; a store that cannot write says so on its own channel. */
  append(event: SessionEvent): void;
  /** No event follows. Must not throw. */
  close?(): void;
}

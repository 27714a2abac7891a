/** Names the events that matter only while they happen. A saved session does not have them. */
import type { SessionEvent } from "@localharness/protocol";

export const passingEvents: ReadonlySet<SessionEvent["type"]> = new Set([
  "tool-call-delta",
  "tool-progress",
  "prompt-progress",
  "model-phase",
]);

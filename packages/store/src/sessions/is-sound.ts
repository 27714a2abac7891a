/** Whether events are a conversation that can be gone on with, without folding them: a long session is read often. */
import type { SessionEvent } from "@localharness/protocol";

/**
 * False when a call has no result where the next message or the end of its turn comes, a result has no call, or an id
 * comes twice: then a record was changed into something else. What the end of the file leaves open is no damage.
 */
export function isSound(events: readonly SessionEvent[]): boolean {
  const ids = new Set<string>();
  /** Calls of the answer that is coming, and those of the last one without a result. */
  let coming: string[] = [];
  let open: string[] = [];
  for (const event of events) {
    switch (event.type) {
      case "tool-call-end":
        if (event.id === "" || ids.has(event.id)) return false;
        ids.add(event.id);
        coming.push(event.id);
        break;
      case "model-end":
      case "model-error":
        if (open.length > 0) return false;
        open = coming;
        coming = [];
        break;
      case "tool-result":
        if (coming.length > 0 || open.shift() !== event.callId) return false;
        break;
      case "user-message":
      case "turn-end":
        if (coming.length + open.length > 0) return false;
        break;
      default:
    }
  }
  return events.findLastIndex(({ type }) => type === "session-start") <= 0;
}

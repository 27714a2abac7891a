/** Checks whether the events of a session fit together. Does not fold them, because long sessions are read often. */
import type { SessionEvent } from "@localharness/protocol";

/**
 * Returns false if the events cannot come from a normal session, so that a record must have been changed: a call has no
 * result before the next message, the next answer or the end of its turn; a result has no call or is not in the order of
 * the calls; the id of a call is empty or occurs twice; or a `session-start` is not the first event. Calls that are still
 * open at the end of the file are not damage.
 */
export function isSound(events: readonly SessionEvent[]): boolean {
  const ids = new Set<string>();
  /** The calls of the answer that has not ended yet. */
  let coming: string[] = [];
  /** The calls of the last answer that have no result yet. */
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

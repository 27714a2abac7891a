/** A session of this process, as the screen sees it. */
import type { Session } from "@localharness/engine";
import type { SessionEvent, SessionLink } from "@localharness/protocol";

/** `history`: what happened before the session was taken up. */
export function linkSession(session: Session, history: readonly SessionEvent[] = []): SessionLink {
  return {
    id: session.id,
    history,
    subscribe: (listener) => session.subscribe(listener),
    send: (command) => session.send(command),
    mode: () => session.mode(),
  };
}

/** Connects a screen to a session of this process. */
import type { Session } from "@localharness/engine";
import type { SessionEvent, SessionLink } from "@localharness/protocol";

/** Returns the link to a session. `history` has the events from before the session was resumed. */
export function linkSession(session: Session, history: readonly SessionEvent[] = []): SessionLink {
  return {
    id: session.id,
    history,
    subscribe: (listener) => session.subscribe(listener),
    send: (command) => session.send(command),
    mode: () => session.mode(),
    model: () => session.model(),
  };
}

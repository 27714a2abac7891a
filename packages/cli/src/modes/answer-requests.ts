/** Answers the permission requests of a session: with a fixed answer, or by asking the person. */
import type { PersonsAnswer, Session } from "@localharness/engine";
import type { PermissionRequest, SessionEvent } from "@localharness/protocol";

/** Asks the person. `signal` aborts when the session has another answer; the person's answer is then ignored. */
export type AskPermission = (request: PermissionRequest, signal: AbortSignal) => Promise<PersonsAnswer>;

/** Answers the permission requests of a session. Returns a function that stops answering. */
export function answerRequests(session: Session, ask: AskPermission): () => void {
  const open = new Map<string, AbortController>();
  return session.subscribe((event: SessionEvent) => {
    if (event.type === "permission-answer") {
      open.get(event.requestId)?.abort();
      open.delete(event.requestId);
    }
    if (event.type !== "permission-request") return;
    const { request } = event;
    const settled = new AbortController();
    open.set(request.requestId, settled);
    const answered = ask(request, settled.signal).catch((): PersonsAnswer => ({ answer: "deny" }));
    void answered.then((given) => {
      if (!settled.signal.aborted) {
        session.send({ type: "permission-answer", requestId: request.requestId, ...given });
      }
    });
  });
}

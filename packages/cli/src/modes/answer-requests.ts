/** Answers the permission requests of a session: with a fixed answer, or by asking the person. */
import type { PersonsAnswer, Session } from "@localharness/engine";
import type { PermissionRequest, SessionEvent } from "@localharness/protocol";

/** Asks the person; `signal` is aborted when the question is void, the answer is then of no use. */
export type AskPerson = (request: PermissionRequest, signal: AbortSignal) => Promise<PersonsAnswer>;

/** Answers from now on; returns what ends that. */
export function answerRequests(session: Session, ask: AskPerson): () => void {
  const open = new Map<string, AbortController>();
  return session.subscribe((event: SessionEvent) => {
    if (event.type === "permission-answer") {
      open.get(event.requestId)?.abort();
      open.delete(event.requestId);
    }
    if (event.type !== "permission-request") return;
    const { request } = event;
    const isVoid = new AbortController();
    open.set(request.requestId, isVoid);
    const answered = ask(request, isVoid.signal).catch((): PersonsAnswer => ({ answer: "deny" }));
    void answered.then((given) => {
      if (!isVoid.signal.aborted)
        session.send({ type: "permission-answer", requestId: request.requestId, ...given });
    });
  });
}

/** Tells in lines what a request to the model waits for, where no line can be drawn again, such as in a pipe or a log. */
import type { Session } from "@localharness/engine";
import { type PhaseOfCall, phaseText, promptProgressText, type SessionEvent } from "@localharness/protocol";

/** The milliseconds that a phase lasts before it is told. */
const tellAfterMs = 10_000;

/** The events that do not end a phase; `prompt-progress` does not end it either. */
const within: ReadonlySet<SessionEvent["type"]> = new Set<SessionEvent["type"]>([
  "reasoning-delta",
  "text-delta",
  "tool-call-delta",
  "usage",
]);

/** Follows the session, and tells once about each phase of a request that lasts 10 s. */
export function tellPhases(session: Pick<Session, "subscribe">, tell: (line: string) => void): void {
  let phase: PhaseOfCall | undefined;
  let words: (ms: number) => string = () => "";
  let timer: NodeJS.Timeout | undefined;

  const end = () => {
    clearTimeout(timer);
    phase = undefined;
  };
  const begin = (next: PhaseOfCall) => {
    if (next.phase === phase?.phase) return;
    end();
    phase = next;
    words = (ms) => phaseText(next, ms);
    const began = performance.now();
    const say = () => {
      const ms = performance.now() - began;
      if (phase === next) tell(`${words(ms)}, ${Math.floor(ms / 1_000)} s`);
    };
    // After a stall of this process, `setImmediate` lets it first read what the server has sent.
    timer = setTimeout(() => setImmediate(say), tellAfterMs).unref();
  };

  session.subscribe((event) => {
    if (event.type === "model-phase") begin(event);
    else if (event.type === "prompt-progress") words = () => promptProgressText(event);
    else if (!within.has(event.type)) end();
  });
}

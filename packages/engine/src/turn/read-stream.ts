/** Reads the events of one answer of a model, whatever the model does. */
import { type ModelEvent, reasonOf } from "@localharness/protocol";
import type { Model, ModelRequest } from "../model.ts";

type LastEvent = Extract<ModelEvent, { type: "model-end" | "model-error" }>;

const interrupted: LastEvent = {
  type: "model-error",
  code: "aborted",
  message: "interrupted",
  retryable: false,
};

const endedEarly: LastEvent = {
  type: "model-error",
  code: "bad-response",
  message: "the model's stream ended without an end: the answer may be cut",
  retryable: true,
};

/**
 * Passes all events except the last to `take`, and resolves to the last event. Stops at once after an interrupt, even if
 * the model does not. Never rejects: resolves to a `model-error` after an interrupt (code `aborted`), if the model or
 * `take` throws, and if the stream ends without a last event (code `bad-response`).
 */
export async function readStream(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
  take: (event: ModelEvent) => void,
): Promise<LastEvent> {
  if (signal.aborted) return interrupted;
  const interruption = createInterruption(signal);
  try {
    const events = model.stream(request, signal)[Symbol.asyncIterator]();
    try {
      while (!signal.aborted) {
        const next = await interruption.orResultOf(events.next());
        if (next === undefined) break;
        if (next.done) return endedEarly;
        if (next.value.type === "model-end" || next.value.type === "model-error") return next.value;
        take(next.value);
      }
      return interrupted;
    } finally {
      // The promise is not awaited, because a stream that hangs must not block the turn.
      Promise.resolve(events.return?.()).catch(() => undefined);
    }
  } catch (error) {
    // Neither the model nor `take` should throw. If one does, the error becomes an event.
    if (signal.aborted) return interrupted;
    const message = `the model's adapter failed: ${reasonOf(error)}`;
    return { type: "model-error", code: "bad-response", message, retryable: false };
  } finally {
    interruption.stop();
  }
}

interface Interruption {
  /** Resolves to the promise's result, or to undefined as soon as the signal aborts. Callers pass one promise at a time. */
  orResultOf<T>(promise: Promise<T>): Promise<T | undefined>;
  stop(): void;
}

/**
 * Returns an object with one listener for a whole stream. `Promise.race` with the same promise for each event would add a
 * reaction to that promise each time.
 */
function createInterruption(signal: AbortSignal): Interruption {
  let wake: ((nothing: undefined) => void) | undefined;
  const onAbort = () => wake?.(undefined);
  signal.addEventListener("abort", onAbort, { once: true });
  return {
    orResultOf: (promise) =>
      new Promise((resolve, reject) => {
        wake = resolve;
        promise.then(resolve, reject);
      }),
    stop: () => signal.removeEventListener("abort", onAbort),
  };
}

/** Model calls that wait for each other: a single graphics card answers one at a time, and two at once slow both down. */
import type { Model, ModelRequest } from "@localharness/engine";
import type { ModelEvent } from "@localharness/protocol";
import { countedBy } from "./counted-by.ts";

export interface ModelQueue {
  /** Resolves to what gives the place back, or to undefined when the signal came first. First come, first served. */
  enter(signal: AbortSignal): Promise<(() => void) | undefined>;
}

/** `places`: how many calls may run at once. */
export function createModelQueue(places: number): ModelQueue {
  let free = places;
  const waiting: (() => void)[] = [];
  const giveBack = () => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  return {
    enter(signal) {
      if (signal.aborted) return Promise.resolve(undefined);
      if (free > 0) {
        free--;
        return Promise.resolve(once(giveBack));
      }
      return new Promise((resolve) => {
        const take = () => {
          signal.removeEventListener("abort", giveUp);
          resolve(once(giveBack));
        };
        const giveUp = () => {
          waiting.splice(waiting.indexOf(take), 1);
          resolve(undefined);
        };
        signal.addEventListener("abort", giveUp, { once: true });
        waiting.push(take);
      });
    },
  };
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}

/** The model, each of whose calls waits for a place. An abort gives the place back at once, whatever the model does. */
export function takeTurns(model: Model, queue: ModelQueue): Model {
  return {
    name: model.name,
    provider: model.provider,
    stream: (request, signal) => inTurn(model, queue, request, signal),
    ...countedBy(model, (request) => request),
  };
}

async function* inTurn(
  model: Model,
  queue: ModelQueue,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const leave = await queue.enter(signal);
  if (leave === undefined) {
    yield { type: "model-error", code: "aborted", message: "interrupted", retryable: false };
    return;
  }
  signal.addEventListener("abort", leave, { once: true });
  try {
    yield* model.stream(request, signal);
  } finally {
    signal.removeEventListener("abort", leave);
    leave();
  }
}

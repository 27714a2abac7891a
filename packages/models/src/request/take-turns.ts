/** Limits how many model calls run at once, because two calls on a single graphics card slow each other down. */
import type { Model, ModelRequest } from "@localharness/engine";
import type { ModelEvent } from "@localharness/protocol";
import { countedBy } from "../choice/counted-by.ts";

export interface ModelQueue {
  /**
   * Waits for a place. Requests beside a turn (`ModelRequest.beside`) wait until no request of a turn waits; apart
   * from that, places go to requests in the order in which they came. Resolves to a function that frees the place;
   * undefined if aborted before.
   */
  enter(signal: AbortSignal, beside?: boolean): Promise<(() => void) | undefined>;
}

/** Creates a queue in which `places` calls may run at once. */
export function createModelQueue(places: number): ModelQueue {
  let free = places;
  const ofTurns: (() => void)[] = [];
  const besides: (() => void)[] = [];
  const giveBack = () => {
    const next = ofTurns.shift() ?? besides.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    enter(signal, beside = false) {
      if (signal.aborted) return Promise.resolve(undefined);
      if (free > 0) {
        free -= 1;
        return Promise.resolve(once(giveBack));
      }
      const waiting = beside ? besides : ofTurns;
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

/** Returns the model with each request marked as beside the turn (`ModelRequest.beside`), for the requests of an agent. */
export function askBeside(model: Model): Model {
  const change = (request: ModelRequest): ModelRequest => ({ ...request, beside: true });
  return {
    name: model.name,
    provider: model.provider,
    stream: (request, signal) => model.stream(change(request), signal),
    ...countedBy(model, change),
  };
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}

/**
 * Wraps a model so that each call waits for a place. An abort frees the place at once, even if the model does not
 * react.
 */
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
  const leave = await queue.enter(signal, request.beside);
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

/** Lets the requests of a run to one server wait for each other, because one graphics card answers one request at a time. */
import type { ModelQueue, SelectedModel } from "@localharness/models";
import { isLoopback } from "@localharness/protocol";

export interface ModelQueues {
  /** Returns a copy of the selection. The requests of its model wait in the queue of its server. */
  queued(selected: SelectedModel): Promise<SelectedModel>;
  /** Returns the queue of the server at an address. */
  queueOf(provider: string, baseUrl: string): Promise<ModelQueue>;
}

/** Providers that run models on the person's own machine, where two calls at once slow each other down. */
const oneAtATime: ReadonlySet<string> = new Set(["ollama", "lmstudio", "llamacpp"]);
/** The maximum number of parallel requests to any other server. */
const defaultParallel = 4;

/** Creates the queues. `parallel` is the maximum number of parallel requests to one server; undefined for the default. */
export function createModelQueues(parallel: number | undefined): ModelQueues {
  const queues = new Map<string, ModelQueue>();

  async function queueOf(provider: string, baseUrl: string): Promise<ModelQueue> {
    const { createModelQueue } = await import("@localharness/models");
    const server = URL.canParse(baseUrl) ? new URL(baseUrl).host : provider;
    const queue =
      queues.get(server) ?? createModelQueue(parallel ?? (isOwn(provider, baseUrl) ? 1 : defaultParallel));
    queues.set(server, queue);
    return queue;
  }

  return {
    queueOf,
    async queued(selected) {
      const { takeTurns } = await import("@localharness/models");
      const queue = await queueOf(selected.provider, selected.baseUrl);
      return { ...selected, model: takeTurns(selected.model, queue) };
    },
  };
}

function isOwn(provider: string, baseUrl: string): boolean {
  if (oneAtATime.has(provider)) return true;
  // An unknown server on this machine: nothing shows that it can answer several calls at once.
  return provider === "custom" && URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).hostname);
}

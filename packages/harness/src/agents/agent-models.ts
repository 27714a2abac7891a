/**
 * Opens the models of agents. Calls to one server wait for each other, because one graphics card answers one call at a
 * time.
 */
import type { Model } from "@localharness/engine";
import type { ModelQueue, SelectedModel } from "@localharness/models";

export interface AgentModels {
  /** Returns the model of that name; without a name, the session's model. Rejects with a message for the caller. */
  open(name: string | undefined): Promise<Model>;
}

/** Providers that run models on the person's own machine, where two calls at once slow each other down. */
const oneAtATime: ReadonlySet<string> = new Set(["ollama", "lmstudio", "llamacpp"]);
/** The maximum number of parallel calls to a server of any other provider. */
const defaultParallel = 4;

export interface AgentModelSources {
  /** Returns the session's current model. */
  selected(): SelectedModel;
  select(name: string): Promise<SelectedModel>;
  /** The maximum number of parallel calls to one server, from the person's settings; undefined for the default. */
  readonly parallel: number | undefined;
}

export function createAgentModels({ selected, select, parallel }: AgentModelSources): AgentModels {
  const queues = new Map<string, ModelQueue>();
  const named = new Map<string, Promise<SelectedModel>>();

  function found(name: string): Promise<SelectedModel> {
    const known = named.get(name);
    if (known !== undefined) return known;
    const opening = select(name);
    named.set(name, opening);
    // A failure is not cached, because the next attempt may succeed.
    opening.catch(() => named.delete(name));
    return opening;
  }

  return {
    async open(name) {
      const { model, provider, baseUrl } = name === undefined ? selected() : await found(name);
      const { createModelQueue, takeTurns } = await import("@localharness/models");
      const server = `${provider} ${baseUrl}`;
      const queue =
        queues.get(server) ?? createModelQueue(parallel ?? (isOwn(provider, baseUrl) ? 1 : defaultParallel));
      queues.set(server, queue);
      return takeTurns(model, queue);
    },
  };
}

function isOwn(provider: string, baseUrl: string): boolean {
  if (oneAtATime.has(provider)) return true;
  // A server of an unknown provider on this machine may be able to answer only one call at a time.
  return (
    provider === "custom" &&
    /^https?:\/\/([^/]*@)?(localhost|127\.\d+\.\d+\.\d+|\[::1\])[:/]/.test(`${baseUrl}/`)
  );
}

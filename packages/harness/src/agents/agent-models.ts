/** The models of agents: each call waits its turn at its server, as one graphics card answers one call at a time. */
import type { Model } from "@localharness/engine";
import type { ModelQueue, SelectedModel } from "@localharness/models";

export interface AgentModels {
  /** The model of that name, or the session's. Rejects with words for whoever asked for it. */
  open(name: string | undefined): Promise<Model>;
}

/** Servers that run models on the person's own machine, where two calls at once slow each other down. */
const oneAtATime: ReadonlySet<string> = new Set(["ollama", "lmstudio", "llamacpp"]);
const usualPlaces = 4;

export interface AgentModelSources {
  /** The session's model as it is now. */
  selected(): SelectedModel;
  select(name: string): Promise<SelectedModel>;
  /** How many calls a server gets at once, where the person has said so. */
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
    // What failed once may work later.
    opening.catch(() => named.delete(name));
    return opening;
  }

  return {
    async open(name) {
      const { model, provider, baseUrl } = name === undefined ? selected() : await found(name);
      const { createModelQueue, takeTurns } = await import("@localharness/models");
      const server = `${provider} ${baseUrl}`;
      const queue =
        queues.get(server) ?? createModelQueue(parallel ?? (isOwn(provider, baseUrl) ? 1 : usualPlaces));
      queues.set(server, queue);
      return takeTurns(model, queue);
    },
  };
}

function isOwn(provider: string, baseUrl: string): boolean {
  if (oneAtATime.has(provider)) return true;
  // A server that was given by its address alone: nothing says that it can do more.
  return (
    provider === "custom" &&
    /^https?:\/\/([^/]*@)?(localhost|127\.\d+\.\d+\.\d+|\[::1\])[:/]/.test(`${baseUrl}/`)
  );
}

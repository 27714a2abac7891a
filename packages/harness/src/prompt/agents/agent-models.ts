/** Opens the models that agents use. Requests of the turn itself go before the requests of agents. */
import type { Model } from "@localharness/engine";
import type { SelectedModel } from "@localharness/models";

export interface AgentModels {
  /**
   * Returns the model of that name; without a name, the session's model. If it rejects, the calling model reads the reason.
   */
  open(name: string | undefined): Promise<Model>;
}

export interface AgentModelSources {
  /** Returns the session's current model. */
  selected(): SelectedModel;
  /** Returns the model of that name, whose requests wait in the queue of its server. Rejects if it cannot be used. */
  select(name: string): Promise<SelectedModel>;
}

export function createAgentModels({ selected, select }: AgentModelSources): AgentModels {
  const named = new Map<string, Promise<SelectedModel>>();

  function found(name: string): Promise<SelectedModel> {
    const known = named.get(name);
    if (known !== undefined) return known;
    const opening = select(name);
    named.set(name, opening);
    // A failure is not cached: the next attempt may work.
    opening.catch(() => named.delete(name));
    return opening;
  }

  return {
    async open(name) {
      const { model } = name === undefined ? selected() : await found(name);
      const { askBeside } = await import("@localharness/models");
      return askBeside(model);
    },
  };
}

/** Adds to the facts about a change whether undo would keep the old content. */
import type { CallFacts } from "@localharness/engine";
import type { ToolResources } from "../resources.ts";

/** Returns the facts, with a concern if undo could not restore the physical `path` or, with `below`, a file below it. */
export async function withLoss(
  resources: ToolResources,
  facts: CallFacts,
  path: string,
  below = false,
): Promise<CallFacts> {
  const { lossConcern } = await import("./old-content.ts");
  const concern = await lossConcern(resources, path, below);
  return concern === undefined ? facts : { ...facts, concerns: [...(facts.concerns ?? []), concern] };
}

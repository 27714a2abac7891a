/** Adds to the facts about a change whether undo would keep the old content. */
import type { CallFacts } from "@localharness/engine";
import type { ToolResources } from "../resources.ts";

/** Adds the concern about a change after which undo could not restore the old content. `path` is physical (without links). */
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

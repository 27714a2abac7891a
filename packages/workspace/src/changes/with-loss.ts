/** Adds to the facts about a change whether undo would keep the old content. */
import type { CallFacts } from "@localharness/engine";
import type { LossParts } from "./old-content.ts";

/** Returns the facts, with a concern if undo could not restore the physical `path` or, with `below`, a file below it. */
export async function withLoss(
  parts: LossParts,
  facts: CallFacts,
  path: string,
  below = false,
): Promise<CallFacts> {
  const { lossConcern } = await import("./old-content.ts");
  const concern = await lossConcern(parts, path, below);
  return concern === undefined ? facts : { ...facts, concerns: [...(facts.concerns ?? []), concern] };
}

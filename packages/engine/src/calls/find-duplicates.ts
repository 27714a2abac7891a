/** Finds calls that a model makes twice in one batch, so that such a call runs only once. */
import type { PreparedCall } from "./prepare-call.ts";

/**
 * Returns a map from the id of each duplicate to the id of the first call with the same tool and arguments. A call that may
 * change something separates the calls before it from the calls after it. Ignores tools that are meant to be called repeatedly
 * (`polls`).
 */
export function findDuplicates(calls: readonly PreparedCall[]): ReadonlyMap<string, string> {
  const firstOf = new Map<string, string>();
  const earlier = new Map<string, string>();
  for (const call of calls) {
    if (call.kind === "settled" || call.tool.polls === true) continue;
    const first = earlier.get(call.key);
    if (first !== undefined) {
      firstOf.set(call.id, first);
      continue;
    }
    if (!call.tool.readOnly) earlier.clear();
    earlier.set(call.key, call.id);
  }
  return firstOf;
}

/** Finds the calls that a model writes twice in one answer, so that nothing is done twice by mistake. */
import type { PreparedCall } from "./prepare-call.ts";

/**
 * Returns, by the id of each duplicate, the id of the first call with the same tool and arguments. Calls are not compared
 * across a call that may change something. Tools that poll are left out: their calls are meant to be repeated.
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

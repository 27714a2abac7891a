/** Models write a call twice in one answer: the second of two is found, so that nothing is done twice by mistake. */
import type { PreparedCall } from "./prepare-call.ts";

/**
 * The first call of each that repeats it, by the id of the later one: calls that stand earlier in the same answer with the same arguments, with no other changing call between.
 * Calls that poll are meant to be repeated and have no twins.
 */
export function findTwins(calls: readonly PreparedCall[]): ReadonlyMap<string, string> {
  const twins = new Map<string, string>();
  const earlier = new Map<string, string>();
  for (const call of calls) {
    if (call.kind === "settled" || call.tool.polls === true) continue;
    const first = earlier.get(call.key);
    if (first !== undefined) {
      twins.set(call.id, first);
      continue;
    }
    if (!call.tool.readOnly) earlier.clear();
    earlier.set(call.key, call.id);
  }
  return twins;
}

/** Models write a call twice in one answer: the second of two is found, so that nothing is done twice by mistake. */
import type { PreparedCall } from "./prepare-call.ts";

/**
 * Ids of calls that stand earlier in the same answer with the same arguments, with no other changing call between.
 * Calls that poll are meant to be repeated and have no twins.
 */
export function findTwins(calls: readonly PreparedCall[]): ReadonlySet<string> {
  const twins = new Set<string>();
  const earlier = new Set<string>();
  for (const call of calls) {
    if (call.kind === "settled" || call.tool.polls === true) continue;
    if (earlier.has(call.key)) {
      twins.add(call.id);
      continue;
    }
    if (!call.tool.readOnly) earlier.clear();
    earlier.add(call.key);
  }
  return twins;
}

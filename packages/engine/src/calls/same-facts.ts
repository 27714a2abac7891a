/** Compares the facts about a call at two times. */
import type { JsonValue } from "@localharness/protocol";
import { canonicalJson } from "../guards/duplicates.ts";
import type { PolicyQuestion } from "../policy/rule.ts";

/** Returns true if the call would still do the same. With `seen`, the state that the person was shown must be the same too. */
export function sameFacts(before: PolicyQuestion, now: PolicyQuestion, seen: "seen" | "unseen"): boolean {
  return mark(before, seen) === mark(now, seen);
}

function mark({ scope, risk, readOnly, facts }: PolicyQuestion, seen: "seen" | "unseen"): string {
  const { paths, command, concerns } = facts;
  const parts: unknown = [scope, risk, readOnly, paths ?? null, command ?? null, concerns ?? null];
  return `${canonicalJson(parts as JsonValue)}${seen === "seen" ? (facts.seen ?? "") : ""}`;
}

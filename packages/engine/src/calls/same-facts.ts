/** Whether a call would still do what was found out about it before a wait. */
import type { JsonValue } from "@localharness/protocol";
import { canonicalJson } from "../guards/repeats.ts";
import type { PolicyQuestion } from "../policy/rule.ts";

/** `seen` adds what was shown of the state, which may change without the call touching anything else. */
export function sameFacts(before: PolicyQuestion, now: PolicyQuestion, seen: "seen" | "unseen"): boolean {
  return mark(before, seen) === mark(now, seen);
}

function mark({ scope, risk, readOnly, facts }: PolicyQuestion, seen: "seen" | "unseen"): string {
  const { paths, command, concerns } = facts;
  const parts: unknown = [scope, risk, readOnly, paths ?? null, command ?? null, concerns ?? null];
  return `${canonicalJson(parts as JsonValue)}${seen === "seen" ? (facts.seen ?? "") : ""}`;
}

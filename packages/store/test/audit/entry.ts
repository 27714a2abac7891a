/** Creates an audit entry for tests. */
import type { AuditEntry } from "@localharness/engine";

export function entry(call: string, padding = ""): AuditEntry {
  return {
    type: "call",
    time: 1,
    session: "s",
    call,
    tool: "ls",
    arguments: { padding },
    argumentsHash: "0",
    decision: "allow",
    rule: "r",
  };
}

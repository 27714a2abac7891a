/** Asks about commands if the sandbox cannot close everything that it should. */
import type { CallFacts } from "@localharness/engine";
import type { Sandbox } from "@localharness/processes/sandbox/sandbox";

/** Returns the facts, with a reason to ask if the command may change something that should be closed. */
export function withSandboxLimit(sandbox: Pick<Sandbox, "incomplete">, facts: CallFacts): CallFacts {
  const reason = facts.readOnly === true ? undefined : sandbox.incomplete();
  if (reason === undefined) return facts;
  const concern = { id: "sandbox-limit", decision: "ask", reason, exceptIn: "bypass" } as const;
  return { ...facts, concerns: [...(facts.concerns ?? []), concern] };
}

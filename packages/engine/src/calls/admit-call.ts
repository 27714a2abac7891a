/** The last look at an allowed call, right before it runs: on record, still what was decided on, within the limits. */
import type { ToolErrorType } from "@localharness/protocol";
import type { Grants } from "../policy/grants.ts";
import type { PolicyQuestion } from "../policy/rule.ts";
import { examineCall, withFacts } from "./examine-call.ts";
import type { ReadyCall } from "./prepare-call.ts";
import type { CallMeter } from "./rate-limits.ts";
import type { CallRecorder } from "./record-calls.ts";
import { sameFacts } from "./same-facts.ts";

export interface AdmissionParts {
  readonly grants: Grants;
  readonly recorder: CallRecorder;
  readonly meter: CallMeter;
}

export type Admission =
  | { readonly kind: "run"; readonly question: PolicyQuestion }
  | {
      readonly kind: "refuse";
      readonly errorType: Exclude<ToolErrorType, "none">;
      readonly message: string;
    };

/** Counts the call when it may run. A call that changes nothing waits for no record. */
export async function admitCall(
  call: ReadyCall,
  decidedOn: PolicyQuestion,
  parts: AdmissionParts,
  signal: AbortSignal,
): Promise<Admission> {
  let question = decidedOn;
  if (!call.tool.readOnly) {
    const unkept = await recordFailure(call, parts.recorder, signal);
    if (unkept !== undefined) return { kind: "refuse", errorType: "io_error", message: unrecorded(unkept) };
    const facts = await examineCall(call.tool, call.arguments, signal);
    const now = { ...withFacts(call.question, facts), mode: decidedOn.mode };
    if (!sameFacts(decidedOn, now, "unseen") && parts.grants.decide(now).decision !== "allow")
      return { kind: "refuse", errorType: "permission_denied", message: changed };
    question = now;
  }
  const over = parts.meter.refusal(question.tool, question.facts);
  if (over !== undefined) return { kind: "refuse", errorType: "permission_denied", message: over };
  parts.meter.count(question.tool, question.facts);
  return { kind: "run", question };
}

/** Why the call is not on record; undefined when it is, or when an interrupt makes it of no matter. */
async function recordFailure(
  call: ReadyCall,
  recorder: CallRecorder,
  signal: AbortSignal,
): Promise<string | undefined> {
  const interrupted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  try {
    return await Promise.race([recorder.kept(call.id).then(() => undefined), interrupted]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function unrecorded(reason: string): string {
  return `not run: the audit log cannot be written (${reason}), and what may change something does not run unrecorded. Go on with reading, and tell the person to make room or make the log writable`;
}

const changed =
  "not run: what this call would touch has changed since it was allowed. Look at it again, then make the call again";

/** Checks an allowed call right before it runs: it is recorded, its present facts are allowed, and no limit is reached. */
import { reasonOf, type ToolErrorType } from "@localharness/protocol";
import type { Grants } from "../policy/grants.ts";
import type { PolicyQuestion } from "../policy/rule.ts";
import { examineCall, withFacts } from "./examine-call.ts";
import type { ReadyCall } from "./prepare-call.ts";
import type { CallMeter } from "./rate-limits.ts";
import type { CallRecorder } from "./record-calls.ts";
import { sameFacts } from "./same-facts.ts";
import { changedText, unrecordedText } from "./texts.ts";

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

/**
 * Resolves to the admission or the refusal of a call. Counts an admitted call. For a read-only call it checks only the
 * limits; any other call must be in the audit log, and is examined again.
 */
export async function admitCall(
  call: ReadyCall,
  decidedOn: PolicyQuestion,
  parts: AdmissionParts,
  signal: AbortSignal,
): Promise<Admission> {
  let question = decidedOn;
  if (!call.tool.readOnly) {
    const unkept = await recordFailure(call, parts.recorder, signal);
    if (unkept !== undefined) {
      return { kind: "refuse", errorType: "io_error", message: unrecordedText(unkept) };
    }
    const facts = await examineCall(call.tool, call.arguments, signal);
    const now = { ...withFacts(call.question, facts), mode: decidedOn.mode };
    const isOther = !sameFacts(decidedOn, now, "unseen");
    if (isOther && (await parts.grants.decide(now)).decision !== "allow") {
      return { kind: "refuse", errorType: "permission_denied", message: changedText };
    }
    question = now;
  }
  const over = parts.meter.refusal(question.tool, question.facts);
  if (over !== undefined) return { kind: "refuse", errorType: "permission_denied", message: over };
  parts.meter.count(question.tool, question.facts);
  return { kind: "run", question };
}

/** Resolves to the reason why the call could not be recorded; undefined if it was recorded or the person interrupts. */
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
    return reasonOf(error);
  }
}

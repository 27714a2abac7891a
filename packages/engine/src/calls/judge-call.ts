/** Decides about a call before it runs: by the policy, the rate limits, earlier calls and hooks, in this order. */
import { defined, type ToolResult } from "@localharness/protocol";
import { refusal } from "../tool-result.ts";
import type { BatchParts } from "./batch-parts.ts";
import type { JudgedCall } from "./call-in-work.ts";
import { examineCall, withFacts } from "./examine-call.ts";
import type { DuplicateGuard } from "./judge-duplicate.ts";
import type { ReadyCall } from "./prepare-call.ts";
import { hookDenialText, ruleDenialText, type Told } from "./texts.ts";

export type Judgement =
  | { readonly verdict: "allow" | "ask"; readonly decided: JudgedCall }
  | {
      readonly verdict: "refuse";
      /** Absent if the person interrupted, or if the call is a duplicate and gets the result of the first call. */
      readonly result?: ToolResult;
      /** The reason in words for the person; absent if the result's message is for both. */
      readonly why?: string;
      /** True if the iteration must end. */
      readonly endsIteration?: boolean;
    };

export type JudgeParts = Pick<BatchParts, "grants" | "recorder" | "meter" | "mode" | "hooks" | "clock"> & {
  readonly duplicates: DuplicateGuard;
};

/** Resolves to the decision about the call. Rejects only after an error in the harness. */
export async function judgeCall(call: ReadyCall, parts: JudgeParts, signal: AbortSignal): Promise<Judgement> {
  const { grants, recorder, meter, clock } = parts;
  const denied = ({ message, ...reason }: Told): Judgement => ({
    verdict: "refuse",
    result: refusal("permission_denied", message, clock),
    ...reason,
  });
  // A call that is denied in a folder that is not trusted is not examined, because an examination may start programs such
  // as git.
  const isDenied = call.question.facts.concerns?.some(({ decision }) => decision === "deny") === true;
  const facts = isDenied ? {} : await examineCall(call.tool, call.arguments, signal);
  if (signal.aborted) return { verdict: "refuse" };
  // The person may have changed the mode since the model made the call.
  const question = { ...withFacts(call.question, facts), mode: parts.mode() };
  const decision = await grants.decide(question);
  recorder.decided(call.id, question, decision);
  if (decision.decision === "deny") return denied(ruleDenialText(decision));
  const overLimit = meter.refusal(question.tool, question.facts);
  if (overLimit !== undefined) return denied({ message: overLimit });
  const { fingerprint, duplicate } = await parts.duplicates.before(call, signal);
  if (duplicate !== undefined) return { verdict: "refuse", ...duplicate };
  // Hooks run before the person is asked, because a call that a hook blocks needs no answer.
  const block = await parts.hooks.before(call.id, question, signal);
  if (signal.aborted) return { verdict: "refuse" };
  if (block !== undefined) return denied(hookDenialText(block));
  return { verdict: decision.decision, decided: { call, question, ...defined({ fingerprint }) } };
}

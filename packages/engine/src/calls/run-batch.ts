/** Drives the executor over one batch of calls: acts on what each tick returns until every call has a result. */
import { defined, type ToolCall } from "@localharness/protocol";
import type { ExecutorInput } from "../executor/state.ts";
import { type Transition, transition } from "../executor/transition.ts";
import { refusal } from "../tool-result.ts";
import { type BatchInWork, end, madeNothing, takeBatch } from "./batch-in-work.ts";
import type { BatchLimits, BatchOutcome, BatchParts } from "./batch-parts.ts";
import { type CallInWork, callOf, resultsOf } from "./call-in-work.ts";
import { interruptedText, loopEndedText, type Told } from "./texts.ts";
import { ask, judge, run } from "./work-on-call.ts";

/** Resolves when every call has its result. An error in a tool does not make it reject. */
export async function runBatch(
  calls: readonly ToolCall[],
  limits: BatchLimits,
  parts: BatchParts,
  signal: AbortSignal,
): Promise<BatchOutcome> {
  const batch = takeBatch(calls, limits, parts, signal);
  const action = await drive(batch, limits);
  const { message, ...reason }: Told = batch.loopEnded ? { message: loopEndedText } : interruptedText;
  for (const { id, name } of calls) {
    if (callOf(batch.calls, id).state === "ended") continue;
    end(batch, id, name, refusal("cancelled", message, parts.clock), { ...madeNothing, ...reason });
  }
  const { denied, loopEnded, unapproved } = batch;
  return { action, results: resultsOf(batch.calls), denied, loopEnded, ...defined({ unapproved }) };
}

async function drive(
  batch: BatchInWork,
  { iteration, iterationLimit }: BatchLimits,
): Promise<BatchOutcome["action"]> {
  const { inputs, signal } = batch;
  const cancel = () => inputs.put({ type: "cancel" });
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  const calls = [...batch.calls].map(([id, one]) => ({ id, readOnly: isReadOnly(one) }));
  apply(batch, { type: "submit", calls, iteration, iterationLimit });
  let judged: readonly string[] | undefined;
  try {
    for (;;) {
      const action = apply(batch, { type: "tick" });
      if (action === "iteration_complete" || action === "iteration_limit_reached") {
        apply(batch, { type: "tick" });
        return action;
      }
      const { executor } = batch;
      if (executor.name === "evaluating_policy" && executor.group.ids !== judged) {
        judged = executor.group.ids;
        for (const id of judged) judge(batch, id);
      }
      if (executor.name === "awaiting_permission" && action === "show_permission_prompt") {
        ask(batch, executor.asking);
      }
      if (executor.name === "executing" && action === "render_requested") {
        for (const id of executor.running) run(batch, id);
      }
      apply(batch, await inputs.take());
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    // An interrupt closes the open question. The event with the answer must come before the end of the turn.
    await batch.asking;
  }
}

function isReadOnly(one: CallInWork): boolean {
  return one.state !== "ended" && one.call.kind === "ready" && one.call.tool.readOnly;
}

function apply(batch: BatchInWork, input: ExecutorInput): Transition["action"] {
  const { state, action } = transition(batch.executor, input);
  if (state.name !== batch.executor.name) batch.parts.emit({ type: "executor-state", state: state.name });
  batch.executor = state;
  return action;
}

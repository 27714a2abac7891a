/** Runs the calls of one answer in batches, one after another, so that each call gets its result in order. */
import { defined, type ToolCall } from "@localharness/protocol";
import { refusal } from "../tool-result.ts";
import type { BatchLimits, BatchOutcome, BatchParts } from "./batch-parts.ts";
import type { DeliveredResult } from "./call-in-work.ts";
import { maskResult } from "./mask-text.ts";
import { runBatch } from "./run-batch.ts";
import { loopEndedText } from "./texts.ts";

/** Resolves when every call has its result. When the guard against duplicates ends a batch, no later batch runs. */
export async function runBatches(
  calls: readonly ToolCall[],
  callsPerIteration: number,
  limits: BatchLimits,
  parts: BatchParts,
  signal: AbortSignal,
): Promise<BatchOutcome> {
  const size = Math.max(1, callsPerIteration);
  const results: DeliveredResult[] = [];
  let denied = 0;
  let unapproved: string | undefined;
  for (let from = 0; ; from += size) {
    const rest = calls.slice(from + size);
    const batch = calls.slice(from, from + size);
    const outcome = await runBatch(batch, { ...limits, callsAfter: rest.length }, parts, signal);
    results.push(...outcome.results);
    denied += outcome.denied;
    unapproved ??= outcome.unapproved;
    if (outcome.loopEnded) results.push(...refuseAll(rest, parts));
    const isLast = outcome.loopEnded || rest.length === 0;
    if (isLast) return { ...outcome, results, denied, ...defined({ unapproved }) };
  }
}

/** Refuses each call, and delivers the refusal as its result. */
function refuseAll(calls: readonly ToolCall[], parts: BatchParts): readonly DeliveredResult[] {
  return calls.map(({ id, name: toolName }) => {
    const result = maskResult(refusal("cancelled", loopEndedText, parts.clock), parts.mask);
    parts.recorder.finished(id, result);
    const refused = { id, toolName, result, achieved: [] };
    parts.deliver(refused);
    return refused;
  });
}

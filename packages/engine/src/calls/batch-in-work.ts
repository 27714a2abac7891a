/** Keeps the state of one running batch, and ends its calls: each gets exactly one result. */
import { defined, type ToolCall, type ToolResult } from "@localharness/protocol";
import type { ExecutorInput, ExecutorState } from "../executor/state.ts";
import type { Permission } from "./ask-permission.ts";
import type { BatchLimits, BatchParts } from "./batch-parts.ts";
import {
  advance,
  type CallsInWork,
  callOf,
  type DeliveredResult,
  deliverable,
  repeatsOf,
  takeCalls,
  toolNameOf,
} from "./call-in-work.ts";
import { createDuplicateGuard, type DuplicateGuard } from "./judge-duplicate.ts";
import { createMailbox, type Mailbox } from "./mailbox.ts";
import { maskDiff, maskResult } from "./mask-text.ts";
import { prepareCall } from "./prepare-call.ts";
import { sameAnswerNote } from "./texts.ts";

export interface BatchInWork {
  readonly calls: CallsInWork;
  readonly parts: BatchParts & { readonly duplicates: DuplicateGuard };
  readonly signal: AbortSignal;
  /** The number of calls of the same answer in later batches. */
  readonly callsAfter: number;
  readonly inputs: Mailbox<ExecutorInput>;
  executor: ExecutorState;
  /** Resolves when the latest question has its answer. */
  asking?: Promise<Permission>;
  loopEnded: boolean;
  denied: number;
  /** The plan that nobody could approve. */
  unapproved?: string;
}

type Made = Pick<DeliveredResult, "achieved" | "diff" | "images" | "why">;

export const madeNothing: Made = { achieved: [] };

/** Returns the batch with its calls prepared. */
export function takeBatch(
  calls: readonly ToolCall[],
  { callsAfter = 0 }: BatchLimits,
  parts: BatchParts,
  signal: AbortSignal,
): BatchInWork {
  const { registry, clock, workspace, trusted, quoted, freedoms, added, listedFor } = parts;
  const isSentWhole = (id: string) => parts.isSentWhole?.(id) === true;
  const hasResult = (id: string) => calls.some((call) => call.id === id) || isSentWhole(id);
  const optional = defined({ quoted, freedoms, added, listedFor });
  const around = { registry, clock, mode: parts.mode(), workspace, trusted, hasResult, ...optional };
  return {
    calls: takeCalls(calls, (call) => prepareCall(call, around)),
    parts: { ...parts, duplicates: createDuplicateGuard(parts.earlierCalls, clock, isSentWhole) },
    signal,
    callsAfter,
    inputs: createMailbox(),
    executor: { name: "idle" },
    loopEnded: false,
    denied: 0,
  };
}

/** Ends the batch, because the model was told twice not to repeat a call. */
export function endForLoop(batch: BatchInWork): void {
  batch.loopEnded = true;
  batch.inputs.put({ type: "cancel" });
}

/** Gives a result to a call that did not run or whose run failed in the harness. Counts the call if it was denied. */
export function refuse(batch: BatchInWork, id: string, result: ToolResult, why?: string): void {
  if (result.error_type === "permission_denied") batch.denied += 1;
  settle(batch, id, result, { ...madeNothing, ...defined({ why }) });
}

/** Gives the result to the call, and to the calls of this batch that repeat it. */
export function settle(batch: BatchInWork, id: string, result: ToolResult, made: Made = madeNothing): void {
  const toolName = toolNameOf(callOf(batch.calls, id));
  end(batch, id, toolName, result, made);
  const repeated = { ...madeNothing, ...defined({ why: made.why }) };
  const shared = { ...result, notes: [...(result.notes ?? []), sameAnswerNote] };
  for (const later of repeatsOf(batch.calls, id)) end(batch, later, toolName, shared, repeated);
}

/** Masks known secrets in the result, records it, and delivers it once all results before it were delivered. */
export function end(
  { calls, parts }: BatchInWork,
  id: string,
  toolName: string,
  result: ToolResult,
  made: Made,
): void {
  const { mask, recorder } = parts;
  const masked = maskResult(result, mask);
  recorder.finished(id, masked);
  const { achieved, images } = made;
  const diff = made.diff === undefined ? undefined : maskDiff(made.diff, mask);
  const why = made.why === undefined ? undefined : mask(made.why);
  const { raw } = callOf(calls, id);
  const given = { id, toolName, result: masked, achieved, ...defined({ why, diff, images }) };
  if (!advance(calls, { state: "ended", raw, end: given })) return;
  for (const one of deliverable(calls, id)) parts.deliver(one);
}

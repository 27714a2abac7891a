/** Runs an allowed call: the final check, the tool, the guard against duplicates, and the hooks for its result. */
import type { Achievement, ImageContent, ToolResult } from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import { refusal } from "../tool-result.ts";
import { admitCall } from "./admit-call.ts";
import { askForTool } from "./ask-for-tool.ts";
import type { BatchParts } from "./batch-parts.ts";
import type { AllowedCall } from "./call-in-work.ts";
import type { DuplicateGuard } from "./judge-duplicate.ts";
import { runTool, type ToolRun } from "./run-tool.ts";

export type Executed =
  /** The final check refused the call. */
  | { readonly kind: "refused"; readonly result: ToolResult }
  | {
      readonly kind: "ran";
      readonly result: ToolResult;
      readonly why?: string;
      readonly achieved: readonly Achievement[];
      readonly diff?: string;
      readonly images?: readonly ImageContent[];
      readonly denied?: true;
      /** True if the iteration must end. */
      readonly endsIteration: boolean;
    };

export interface ExecuteParts extends BatchParts {
  readonly duplicates: DuplicateGuard;
}

/**
 * Resolves to the outcome of the call; undefined if an interrupt came before the call began to run. Rejects only after an
 * error in the harness.
 */
export async function executeCall(
  allowed: AllowedCall,
  parts: ExecuteParts,
  delegate: ToolRun["delegate"],
  signal: AbortSignal,
): Promise<Executed | undefined> {
  if (signal.aborted) return undefined;
  const { call, fingerprint } = allowed;
  const admitted = await admitCall(call, allowed.question, parts, signal);
  if (signal.aborted) return undefined;
  if (admitted.kind === "refuse") {
    return { kind: "refused", result: refusal(admitted.errorType, admitted.message, parts.clock) };
  }
  const { question } = admitted;
  const ran = await runTool(toolRun({ ...allowed, question }, parts, delegate, signal));
  const { result, endsIteration } = parts.duplicates.after(call, ran.result, fingerprint);
  const noted = await parts.hooks.after(call.id, question, result, signal);
  return { ...ran, kind: "ran", result: noted, endsIteration };
}

/** Emits the start of the call and returns the input of `runTool`. */
function toolRun(
  { call, question, approval, offer }: AllowedCall,
  parts: ExecuteParts,
  delegate: ToolRun["delegate"],
  signal: AbortSignal,
): ToolRun {
  const { id: callId, tool, arguments: args, notes } = call;
  const { clock, emit, grants, mask, turn, aside, askPerson } = parts;
  const asRun = { callId, toolName: tool.name, arguments: args };
  emit({ type: "tool-start", ...asRun, ...(notes.length === 0 ? {} : { notes }) });
  const filter = grants.filter(question);
  return {
    tool,
    arguments: args,
    callId,
    notes,
    signal,
    clock,
    report: (text) => emit({ type: "tool-progress", callId, text: mask(text) }),
    examined: question.facts,
    mode: question.mode,
    ask: askForTool(callId, parts),
    interactive: parts.interactive,
    ...defined({ filter, turn, delegate, approval, aside, offer, askPerson }),
  };
}

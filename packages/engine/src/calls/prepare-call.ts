/** A call as the model asked for it, made ready: the tool found, its arguments typed, the question for the policy put. */
import type { JsonObject, ToolCall, ToolResult } from "@localharness/protocol";
import { frozenCopy } from "../arguments/frozen-copy.ts";
import type { Clock } from "../clock.ts";
import { callKey } from "../guards/repeats.ts";
import type { PolicyQuestion } from "../policy/rule.ts";
import type { ToolRegistry } from "../registry.ts";
import type { Tool } from "../tool.ts";
import { refusal } from "../tool-result.ts";
import { plainQuestion, type QuestionSurroundings } from "./examine-call.ts";

export interface ReadyCall {
  readonly kind: "ready";
  readonly id: string;
  readonly tool: Tool;
  /** Frozen: what is shown, decided on and run. */
  readonly arguments: JsonObject;
  /** What had to be changed to read the call, for the model. */
  readonly notes: readonly string[];
  /** As it stands before the tool has looked at what the call would do. */
  readonly question: PolicyQuestion;
  /** The same for the same call. */
  readonly key: string;
}

/** A call that cannot run: its result is already known. */
export interface SettledCall {
  readonly kind: "settled";
  readonly id: string;
  readonly toolName: string;
  readonly result: ToolResult;
}

export type PreparedCall = ReadyCall | SettledCall;

export interface CallSurroundings extends QuestionSurroundings {
  readonly registry: ToolRegistry;
  readonly clock: Clock;
}

/** Never throws: a tool whose own functions fail on these arguments makes a call that cannot run. */
export function prepareCall(call: ToolCall, around: CallSurroundings): PreparedCall {
  const found = around.registry.find(call.name);
  if (found === undefined) {
    const message = around.registry.unknownToolMessage(call.name);
    return settled(call.id, call.name, refusal("not_found", message, around.clock));
  }
  const { tool } = found;
  try {
    return readyCall(call, tool, around);
  } catch (error) {
    const message = `${tool.name} failed unexpectedly before it could run: ${error instanceof Error ? error.message : String(error)}`;
    return settled(call.id, tool.name, refusal("internal_error", message, around.clock));
  }
}

function settled(id: string, toolName: string, result: ToolResult): SettledCall {
  return { kind: "settled", id, toolName, result };
}

function readyCall(call: ToolCall, tool: Tool, around: CallSurroundings): PreparedCall {
  const checked = around.registry.validateInput(tool.name, call.arguments);
  if (!checked.ok)
    return settled(call.id, tool.name, refusal("validation_failed", checked.message, around.clock));
  const args = frozenCopy(checked.arguments);
  return {
    kind: "ready",
    id: call.id,
    tool,
    arguments: args,
    notes: checked.notes,
    question: plainQuestion(tool, args, around),
    key: callKey(tool.name, args),
  };
}

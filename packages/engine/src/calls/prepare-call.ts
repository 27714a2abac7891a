/** A call as the model asked for it, made ready: the tool found, its arguments typed, the question for the policy put. */
import type { JsonObject, ToolCall, ToolResult } from "@localharness/protocol";
import { frozenCopy } from "../arguments/frozen-copy.ts";
import type { Clock } from "../clock.ts";
import { callKey } from "../guards/repeats.ts";
import type { Concern } from "../policy/facts.ts";
import type { PolicyQuestion } from "../policy/rule.ts";
import type { QuotedCalls } from "../quoted/quoted-calls.ts";
import type { ToolRegistry } from "../registry.ts";
import type { Tool } from "../tool.ts";
import { refusal } from "../tool-result.ts";
import { plainQuestion, type QuestionSurroundings, withConcern } from "./examine-call.ts";

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
  /** How it was written when it came as text; absent for a native call. */
  readonly format?: string;
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
  /** Absent where no model makes calls. */
  readonly quoted?: QuotedCalls;
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
  const key = callKey(tool.name, args);
  const { format } = call;
  const source = format === undefined ? undefined : around.quoted?.sourceOf(call);
  return {
    kind: "ready",
    id: call.id,
    tool,
    arguments: args,
    notes: checked.notes,
    question: withConcern(
      plainQuestion(tool, args, around),
      source === undefined ? undefined : quotedConcern(source),
    ),
    key,
    ...(format === undefined ? {} : { format }),
  };
}

export const quotedConcernId = "quoted";

/** A call read from the model's text that it was given to read: nobody knows whether it means or shows it. */
function quotedConcern(source: string): Concern {
  return {
    id: quotedConcernId,
    decision: "ask",
    reason: `this call stands in ${source}, and was read from the model's text: it may only be quoted`,
    exceptIn: "bypass",
  };
}

/** Prepares a call of the model: finds the tool, checks the arguments, and builds the question for the policy. */
import { defined, type JsonObject, reasonOf, type ToolCall, type ToolResult } from "@localharness/protocol";
import { frozenCopy } from "../arguments/frozen-copy.ts";
import type { Clock } from "../clock.ts";
import { callKey } from "../guards/duplicates.ts";
import type { Concern } from "../policy/facts.ts";
import type { PolicyQuestion } from "../policy/rule.ts";
import type { QuotedCalls } from "../quoted/quoted-calls.ts";
import type { ToolRegistry } from "../registry.ts";
import type { Tool } from "../tool.ts";
import { refusal } from "../tool-result.ts";
import { plainQuestion, type QuestionSurroundings, withConcern } from "./examine-call.ts";
import { quotedReason, toolUnreadyText } from "./texts.ts";

export interface ReadyCall {
  readonly kind: "ready";
  readonly id: string;
  readonly tool: Tool;
  /** The frozen arguments, so that the tool runs with exactly the arguments that were shown and allowed. */
  readonly arguments: JsonObject;
  /** Notes for the model about changes that were needed to read the call. */
  readonly notes: readonly string[];
  /** The question for the policy, without the tool's facts about the call. */
  readonly question: PolicyQuestion;
  /** A text that is equal for calls with the same tool and arguments. */
  readonly key: string;
  /** The format of a call that the model wrote as text; absent for a native call. */
  readonly format?: string;
}

/** A call that cannot run and already has its result. */
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
  /** Finds calls that the model may have copied from its input; absent if no model makes calls. */
  readonly quoted?: QuotedCalls;
  /** The unknown names for which the model has got a list of tools, with the id of the call; this call is added. */
  readonly listedFor?: Map<string, string>;
  /** Returns true if the model has, or gets beside this result, the whole result of the call. */
  hasResult?(callId: string): boolean;
}

/** Returns the prepared call. Never throws: if a function of the tool throws, the call gets an error result. */
export function prepareCall(call: ToolCall, around: CallSurroundings): PreparedCall {
  const found = around.registry.find(call.name);
  if (found === undefined) {
    return settled(call.id, call.name, refusal("not_found", unknownTool(call, around), around.clock));
  }
  const { tool } = found;
  try {
    return readyCall(call, tool, around);
  } catch (error) {
    const message = toolUnreadyText(tool.name, reasonOf(error));
    return settled(call.id, tool.name, refusal("internal_error", message, around.clock));
  }
}

/** Returns the message about an unknown tool. It lists the tools unless the model has a list that was for the same name. */
function unknownTool({ id, name }: ToolCall, { registry, listedFor, hasResult }: CallSurroundings): string {
  const listed = listedFor?.get(name);
  const isListed = listed !== undefined && hasResult?.(listed) === true;
  if (!isListed) listedFor?.set(name, id);
  return registry.unknownToolMessage(name, isListed);
}

function settled(id: string, toolName: string, result: ToolResult): SettledCall {
  return { kind: "settled", id, toolName, result };
}

function readyCall(call: ToolCall, tool: Tool, around: CallSurroundings): PreparedCall {
  const checked = around.registry.validateInput(tool.name, call.arguments);
  if (!checked.ok) {
    return settled(call.id, tool.name, refusal("validation_failed", checked.message, around.clock));
  }
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
    ...defined({ format }),
  };
}

export const quotedConcernId = "quoted";

/** Returns the concern about a call in the model's text that also occurs in `source`: the model may only be quoting it. */
function quotedConcern(source: string): Concern {
  return {
    id: quotedConcernId,
    decision: "ask",
    reason: quotedReason(source),
    exceptIn: "bypass",
  };
}

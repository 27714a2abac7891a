/** Finds the tools on offer and creates the parts and ids of calls, for the readers of whole replies and of streams. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4ToolCall,
} from "@ai-sdk/provider";
import type { DetectEvent, DetectorOptions, ToolSchema } from "../types.ts";

export interface Reading extends DetectorOptions {
  readonly generateId: () => string;
  /** With `call`, an unreadable call that has a name becomes a call with invalid input. With `text`, it stays text. */
  readonly unreadable: "call" | "text";
}

/** The last event of a call: the call itself, or the error of a call that cannot be read. */
export type Settled = Extract<DetectEvent, { type: "tool-call-end" | "tool-call-error" }>;

/** Returns the tools that text may call: none if the app forbids calls, and one if the app demands a certain tool. */
export function toolsOnOffer({ tools = [], toolChoice }: LanguageModelV4CallOptions): ToolSchema[] {
  if (toolChoice?.type === "none") return [];
  return tools.flatMap((tool) => {
    if (tool.type !== "function") return [];
    if (toolChoice?.type === "tool" && toolChoice.toolName !== tool.name) return [];
    const { name, description, inputSchema } = tool;
    return [{ name, ...(description === undefined ? {} : { description }), parameters: { ...inputSchema } }];
  });
}

/**
 * Returns the tool with a schema that forbids undeclared keys. A schema without `properties`, or with a keyword that may
 * allow or forbid more keys, does not change. The schema of a zod object forbids undeclared keys already.
 */
export function closedTool({ parameters = {}, ...tool }: ToolSchema): ToolSchema {
  const says = ["additionalProperties", "unevaluatedProperties", "allOf", "anyOf", "oneOf", "$ref"];
  const isPlain = "properties" in parameters && !says.some((word) => word in parameters);
  return { ...tool, parameters: isPlain ? { ...parameters, additionalProperties: false } : parameters };
}

/**
 * Returns the part for a call; undefined if it has to stay text. A call that cannot be read gets its raw text as input, after
 * the error's message if the text could be valid input. The AI SDK answers it with an error result.
 */
export function callPart(
  settled: Settled,
  id: string,
  reading: Reading,
): LanguageModelV4ToolCall | undefined {
  if (settled.type === "tool-call-end") {
    const input = JSON.stringify(settled.arguments);
    return { type: "tool-call", toolCallId: id, toolName: settled.name, input };
  }
  if (reading.unreadable === "text" || settled.name === undefined) return undefined;
  const input = /^\s*[[{"]/.test(settled.raw) ? `${settled.message}\n${settled.raw}` : settled.raw;
  return { type: "tool-call", toolCallId: id, toolName: settled.name, input };
}

/** Returns a random id. A counter would repeat ids of earlier replies, which stay in the conversation. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `call_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Returns false if an error, an interruption or a content filter ended the reply. None of its calls runs then. */
export function isWhole({ unified }: LanguageModelV4FinishReason): boolean {
  return unified !== "error" && unified !== "interrupted" && unified !== "content-filter";
}

/** What services send for a normal end and the AI SDK does not know, in lower case. */
const normalEnds: ReadonlySet<string> = new Set([
  "end",
  "eos",
  "eos_token",
  "end_turn",
  "stop_sequence",
  "complete",
  "tool_use",
  "tool_call",
  "eos_found",
  "stop_token",
  "end_of_turn",
  "completed",
  "done",
  "finished",
]);

/**
 * Returns true if the reply may have ended inside a call: at its limit, or for a reason that the AI SDK does not know and
 * that is no normal end. A service that gives no reason may have ended it normally.
 */
export function mayBeCut({ unified, raw }: LanguageModelV4FinishReason): boolean {
  if (unified === "other" && raw !== undefined) return !normalEnds.has(raw.toLowerCase());
  return unified === "length";
}

/** Returns the finish reason of a reply with calls in its text: `length` if it was cut at its limit, else `tool-calls`. */
export function finishReason(reason: LanguageModelV4FinishReason): LanguageModelV4FinishReason {
  return reason.unified === "length" ? reason : { ...reason, unified: "tool-calls" };
}

/** Prepares the reading of a reply: the tools on offer in the request, and ids for the calls found. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4ToolCall,
} from "@ai-sdk/provider";
import type { DetectEvent, DetectorOptions, ToolSchema } from "../types.ts";

export interface Reading extends DetectorOptions {
  readonly generateId: () => string;
  /** `call`: a call that cannot be read becomes one with invalid input. `text`: it stays text. */
  readonly unreadable: "call" | "text";
}

/** A call as the detector settled it: read, or known not to be readable. */
export type Settled = Extract<DetectEvent, { type: "tool-call-end" | "tool-call-error" }>;

/** Returns the tools that text may call: none when the app forbids calls, one when it wants that one. */
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
 * Returns the part for a settled call; undefined when it has to stay text. A call that cannot be read has its raw text as input:
 * the AI SDK answers it with an error result, so that the model can write it again.
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
  return { type: "tool-call", toolCallId: id, toolName: settled.name, input: settled.raw };
}

/** Ids that no other reply has: a conversation keeps them all. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `call_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Returns false when the reply was broken off by more than its length: nothing in it runs. */
export function isWhole({ unified }: LanguageModelV4FinishReason): boolean {
  return unified !== "error" && unified !== "interrupted" && unified !== "content-filter";
}

/** Returns the reason for a reply with calls in its text; that it was cut at its limit remains to be seen. */
export function finishReason(reason: LanguageModelV4FinishReason): LanguageModelV4FinishReason {
  return reason.unified === "length" ? reason : { ...reason, unified: "tool-calls" };
}

/** The messages of a transcript: what was said, called and answered, in order. */
import type { ImageContent } from "./image.ts";
import type { JsonObject } from "./json.ts";

/** One tool call as the model asked for it. `arguments` is JSON text (OpenAI) or an object (Ollama). */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string | JsonObject;
  /** How it was written when it came as text; absent for a native call. */
  readonly format?: string;
}

export interface SystemMessage {
  readonly role: "system";
  readonly content: string;
}

export interface UserMessage {
  readonly role: "user";
  readonly content: string;
  /** `person` typed it; `harness` is a note to the model (a limit, a nudge), sent in the user role. */
  readonly from: "person" | "harness";
  /** What the person showed along with it; absent when there is none. */
  readonly images?: readonly ImageContent[];
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly ToolCall[];
  /** Set when the answer was cut short; its text is kept as far as it came. */
  readonly partial?: "interrupted" | "error";
}

export interface ToolMessage {
  readonly role: "tool";
  readonly toolCallId: string;
  readonly toolName: string;
  /** The `ToolResult` as JSON text. */
  readonly content: string;
}

/** For people only: it never goes to the model. */
export interface DisplayMessage {
  readonly role: "display";
  readonly toolCallId?: string;
  readonly content: string;
}

/** What a model gets to see. */
export type ModelMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

export type Message = ModelMessage | DisplayMessage;

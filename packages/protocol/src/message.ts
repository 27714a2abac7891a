/** The messages of a transcript: instructions, questions, answers, tool calls and tool results. */
import type { ImageContent } from "./image.ts";
import type { JsonObject } from "./json.ts";

/** One tool call as the model made it. `arguments` is JSON text (OpenAI) or an object (Ollama). */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string | JsonObject;
  /** The text format in which the call was written; absent for a native call. */
  readonly format?: string;
  /**
   * The fields that came with the call beside its id, name and arguments. `function` has those of the inner object. They go
   * back as the message's `origin` says.
   */
  readonly fields?: JsonObject;
}

/** What only the maker of an answer can use. It goes back to that maker, and to no other. */
export interface AnswerOrigin {
  /** The address of the server, and the family of the model. */
  readonly madeBy: string;
  /** The names of the fields in which the thought came; absent if none came in a field. */
  readonly thoughtIn?: readonly string[];
  /** The fields that came with the message beside text, thought and calls; absent if there were none. */
  readonly fields?: JsonObject;
}

export interface SystemMessage {
  readonly role: "system";
  readonly content: string;
}

export interface UserMessage {
  readonly role: "user";
  readonly content: string;
  /**
   * `person` if a person typed the message, `harness` for a note to the model such as a limit or a reminder, `file` for the
   * content of a file that the person attached to the message before.
   */
  readonly from: "person" | "harness" | "file";
  /** The path of the file; only with `from: "file"`. */
  readonly path?: string;
  /** The images attached to the message; absent when there are none. */
  readonly images?: readonly ImageContent[];
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly ToolCall[];
  /**
   * The reason why the answer is incomplete; `content` then holds the text received so far. Absent for a complete answer.
   */
  readonly partial?: "interrupted" | "error";
  /** Absent if the answer brought nothing that has to go back. */
  readonly origin?: AnswerOrigin;
}

export interface ToolMessage {
  readonly role: "tool";
  readonly toolCallId: string;
  readonly toolName: string;
  /** The `ToolResult` as JSON text. */
  readonly content: string;
}

/** A message for people; the model never gets it. */
export interface DisplayMessage {
  readonly role: "display";
  readonly toolCallId?: string;
  readonly content: string;
}

/** The messages that a model gets. */
export type ModelMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

export type Message = ModelMessage | DisplayMessage;

/** The interface of one wire API: parsing requests and writing replies. */
import type { JsonObject, JsonValue } from "@localharness/protocol";
import type { OfferedTool } from "./fill-tool.ts";
import type { Reply } from "./scenario.ts";

/** The parts of a request that a local model has to read, in the order of most chat templates. */
export interface PromptParts {
  readonly system: string;
  readonly tools: readonly OfferedTool[];
  /** The tool schemas as they were sent. */
  readonly toolsText: string;
  /** All messages but the system messages, each as JSON. */
  readonly messages: readonly string[];
  /** The number of tool results so far. */
  readonly results: number;
}

export interface WireAdapter {
  /** Returns true if the path of a POST belongs to this wire API. */
  serves(path: string): boolean;
  /** Returns true if the request asks for a stream. */
  streams(path: string, body: JsonObject): boolean;
  readPrompt(body: JsonObject): PromptParts;
  readonly contentType: string;
  /** Yields the frames of a streamed reply. */
  frames(reply: Reply, body: JsonObject): Iterable<string>;
  /** Returns the reply as one body. */
  whole(reply: Reply): JsonObject;
}

export function textOf(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) => (part !== null && typeof part === "object" && "text" in part ? String(part["text"]) : ""))
    .join("");
}

export function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value)
    ? (value.filter((entry) => entry !== null && typeof entry === "object") as JsonObject[])
    : [];
}

/** What the server knows of one wire API: how a request reads and how a reply is written. */
import type { JsonObject, JsonValue } from "@localharness/protocol";
import type { OfferedTool } from "./fill-tool.ts";
import type { Reply } from "./scenario.ts";

/** A request reduced to what a local model would have to read, in the order of most chat templates. */
export interface PromptParts {
  readonly system: string;
  readonly tools: readonly OfferedTool[];
  /** The tool schemas as they were sent. */
  readonly toolsText: string;
  /** Everything else that is said, one entry a message, as JSON. */
  readonly messages: readonly string[];
  /** The tool results so far. */
  readonly results: number;
}

export interface WireAdapter {
  /** True when the path of a POST belongs to this wire. */
  serves(path: string): boolean;
  streams(path: string, body: JsonObject): boolean;
  readPrompt(body: JsonObject): PromptParts;
  readonly contentType: string;
  /** The reply as a stream, frame by frame. */
  frames(reply: Reply, body: JsonObject): Iterable<string>;
  /** The reply as one body. */
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

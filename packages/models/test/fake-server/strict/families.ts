/** Lists the model families that servers recognise by marks in the template and treat specially, one row each. */
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import type { LlamaServer } from "./llama-server.ts";

export interface Family {
  readonly name: string;
  readonly servers: readonly LlamaServer[];
  /** True for a template of this family. */
  readonly has: (source: string) => boolean;
  readonly shape?: (messages: readonly JsonObject[]) => readonly JsonObject[];
}

const later: readonly LlamaServer[] = ["2026-08"];

/** The later server reports template refusals of these families as 500, all others as 400. */
const families: readonly Family[] = [
  {
    name: "ministral-3",
    servers: later,
    has: holds(["[SYSTEM_PROMPT]", "[TOOL_CALLS]", "[ARGS]"], ["[CALL_ID]"]),
    shape: (messages) => messages.map(thoughtsAsParts),
  },
  {
    name: "gpt-oss",
    servers: later,
    has: holds(["<|channel|>"]),
    shape: (messages) => messages.map((message) => thinking(message, true)),
  },
  {
    name: "gpt-oss",
    servers: ["2025-08"],
    has: holds(["<|channel|>"]),
    shape: (messages) => messages.map((message) => (hasCalls(message) ? thinking(message, false) : message)),
  },
  { name: "functionary-3.2", servers: later, has: holds([">>>all", ">>>$"]) },
  { name: "kimi-k2", servers: later, has: holds(["<|tool_calls_section_begin|>", "<|tool_call_begin|>"]) },
  {
    name: "lfm2",
    servers: later,
    has: holds(["<|tool_list_start|>"]),
    shape: (messages) => messages.map((message) => thinking(message, false)),
  },
  {
    name: "lfm2.5",
    servers: later,
    has: holds(["List of tools: ["], ["<|tool_list_start|>"]),
    shape: (messages) => messages.map((message) => thinking(message, false)),
  },
  {
    name: "gigachat-3",
    servers: later,
    has: holds(["<|role_sep|>", "<|message_sep|>"], ["<|function_call|>"]),
  },
  { name: "deepseek-3.2", servers: later, has: holds(["dsml_token", "function_calls", "DSML"]) },
  {
    name: "gemma-4",
    servers: later,
    has: holds(["'<|tool_call>call:'"]),
  },
];

export function familyOf(source: string, server: LlamaServer): Family | undefined {
  return families.find((family) => family.servers.includes(server) && family.has(source));
}

function holds(marks: readonly string[], none: readonly string[] = []): (source: string) => boolean {
  return (source) =>
    marks.every((mark) => source.includes(mark)) && !none.some((mark) => source.includes(mark));
}

function hasCalls(message: JsonObject): boolean {
  return Array.isArray(message["tool_calls"]) && message["tool_calls"].length > 0;
}

/** Returns the message with its reasoning as `thinking`. With `dropsText`, a message with calls loses its text. */
function thinking(message: JsonObject, dropsText: boolean): JsonObject {
  if (typeof message["reasoning_content"] !== "string") return message;
  const { content, ...rest } = message;
  const text = dropsText && hasCalls(message) ? {} : { content: content ?? null };
  return { ...rest, ...text, thinking: message["reasoning_content"] };
}

function thoughtsAsParts(message: JsonObject): JsonObject {
  const { role, content, reasoning_content: thoughts, ...rest } = message;
  if (role !== "assistant" && role !== "system") return message;
  const parts: JsonObject[] = [];
  if (typeof thoughts === "string") parts.push({ type: "thinking", thinking: thoughts });
  if (typeof content === "string" && content !== "") parts.push({ type: "text", text: content });
  if (Array.isArray(content)) parts.push(...content.filter(isJsonObject));
  return { role: role ?? "", ...rest, content: parts };
}

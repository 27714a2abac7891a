/**
 * Writes the history for a model without native tools. Describes the tools in the system prompt, writes earlier calls
 * into the model's messages in its format, and writes each result as `TOOL RESULT (name):` and the text. Works message
 * by message, so that a longer history begins with the text of the shorter one.
 */
import { type FormatId, type TextMessage, toMessages, toPrompt } from "@localharness/detect";
import type { ToolDefinition } from "@localharness/engine";
import type { AssistantMessage, JsonObject, ModelMessage, ToolMessage } from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import { argumentsObject, parseObject } from "../answer/arguments-object.ts";
import { joinUsers } from "../request/profile/alternate.ts";

export interface Rendering {
  readonly format: FormatId;
  /** `user` is for models whose template has no tool role and would silently drop messages with that role. */
  readonly resultRole: "tool" | "user";
}

export function renderHistory(
  messages: readonly ModelMessage[],
  tools: readonly ToolDefinition[],
  rendering: Rendering,
): ModelMessage[] {
  const rendered: ModelMessage[] = [];
  const instructions = tools.length === 0 ? "" : toPrompt(rendering.format, tools.map(asSchema));
  if (instructions !== "" && messages[0]?.role !== "system") {
    rendered.push({ role: "system", content: instructions });
  }
  for (const [place, message] of messages.entries()) {
    if (place === 0 && message.role === "system" && instructions !== "") {
      rendered.push({ role: "system", content: `${message.content}\n\n${instructions}` });
    } else {
      for (const one of renderMessage(message, rendering)) append(rendered, one, rendering);
    }
  }
  return rendered;
}

function asSchema(tool: ToolDefinition) {
  return { name: tool.name, description: tool.description, parameters: { ...tool.parameters } };
}

function renderMessage(message: ModelMessage, rendering: Rendering): ModelMessage[] {
  if (message.role === "tool") return [renderResult(message, rendering)];
  if (message.role !== "assistant" || message.toolCalls === undefined) return [message];
  const calls = message.toolCalls.map((call) => ({ ...call, arguments: argumentsObject(call.arguments) }));
  const written = toMessages(rendering.format, { text: message.content, calls, results: [] });
  return written.map((one) => asAssistant(one, message));
}

function asAssistant(written: TextMessage, original: AssistantMessage): AssistantMessage {
  const { reasoning, origin } = original;
  return { role: "assistant", content: written.content, ...defined({ reasoning, origin }) };
}

function renderResult(message: ToolMessage, rendering: Rendering): ModelMessage {
  const result = { id: message.toolCallId, name: message.toolName, content: plainResult(message.content) };
  const written = toMessages(rendering.format, { text: "", calls: [], results: [result] });
  const content = written.findLast((one) => one.role === "tool")?.content ?? result.content;
  return rendering.resultRole === "tool"
    ? { ...message, content }
    : { role: "user", content, from: "harness" };
}

/** Returns the tool's output or its error, and the notes, without the JSON around them, which only programs read. */
function plainResult(content: string): string {
  const result = parseObject(content);
  if (result === undefined || typeof result["success"] !== "boolean") return content;
  const { data, error_message: message, error_type: type } = result;
  const outcome = result["success"] ? String(data ?? "") : `ERROR (${type}): ${message ?? ""}${rest(data)}`;
  return outcome + notes(result);
}

function rest(data: unknown): string {
  return typeof data === "string" && data !== "" ? `\n${data}` : "";
}

function notes(result: JsonObject): string {
  const list = Array.isArray(result["notes"]) ? result["notes"] : [];
  return list.map((note) => `\nNote: ${note}`).join("");
}

/** Appends a message. If results are user messages, joins two in a row, because some templates demand alternating roles. */
function append(rendered: ModelMessage[], message: ModelMessage, rendering: Rendering): void {
  const last = rendered.at(-1);
  if (rendering.resultRole === "user" && last?.role === "user" && message.role === "user") {
    rendered[rendered.length - 1] = joinUsers(last, message);
  } else {
    rendered.push(message);
  }
}

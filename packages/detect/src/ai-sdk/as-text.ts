/**
 * Writes a request for a model that takes no tools: the system prompt describes the tools, the model's messages contain its
 * earlier calls as text, and results become messages of the user.
 */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import { isObject } from "@localharness/schema";
import { toMessages, toPrompt } from "../messages.ts";
import type { FormatId, JsonObject } from "../types.ts";
import { toolsOnOffer } from "./reading.ts";

type Message = LanguageModelV4Message;
type Assistant = Extract<Message, { role: "assistant" }>;
type User = Extract<Message, { role: "user" }>;

/** Returns the request with function tools as text. The text of a longer history begins with the text of a shorter one. */
export function asText(params: LanguageModelV4CallOptions, format: FormatId): LanguageModelV4CallOptions {
  const { tools = [], toolChoice, ...rest } = params;
  const others = tools.filter((tool) => tool.type !== "function");
  const prompt: Message[] = [];
  for (const message of params.prompt) append(prompt, renderMessage(message, format));
  const instructions = instructionsFor(params, format);
  if (instructions !== "") addInstructions(prompt, instructions);
  return { ...rest, prompt, ...(others.length === 0 ? {} : { tools: others }) };
}

function instructionsFor(params: LanguageModelV4CallOptions, format: FormatId): string {
  const tools = toolsOnOffer(params);
  if (tools.length === 0) return "";
  const wanted = params.toolChoice?.type;
  const must = wanted === "required" || wanted === "tool" ? "\nYour answer must be a tool call." : "";
  return toPrompt(format, tools) + must;
}

function addInstructions(prompt: Message[], instructions: string): void {
  const first = prompt[0];
  if (first?.role === "system") prompt[0] = { ...first, content: `${first.content}\n\n${instructions}` };
  else prompt.unshift({ role: "system", content: instructions });
}

function renderMessage(message: Message, format: FormatId): Message {
  switch (message.role) {
    case "assistant":
      return renderAssistant(message, format);
    case "tool":
      return {
        ...message,
        role: "user",
        content: message.content.flatMap((part) => renderResult(part, format)),
      };
    case "system":
    case "user":
      return message;
  }
}

function renderAssistant(message: Assistant, format: FormatId): Assistant {
  const calls = [];
  const texts = [];
  const others = [];
  for (const part of message.content) {
    if (part.type === "text") texts.push(part.text);
    else if (part.type !== "tool-call") others.push(part);
    else if (isObject(part.input)) {
      calls.push({ id: part.toolCallId, name: part.toolName, arguments: part.input as JsonObject });
    }
    // This is the raw text of a call that could not be read.
    else texts.push(String(part.input));
  }
  if (calls.length === 0 && texts.length === 0) return message;
  const written = toMessages(format, { text: texts.join(""), calls, results: [] });
  const text = written.map((one) => one.content).join("\n");
  return { ...message, content: [...others, { type: "text", text }] };
}

function renderResult(
  part: Extract<Message, { role: "tool" }>["content"][number],
  format: FormatId,
): User["content"] {
  if (part.type !== "tool-result") return [];
  const result = { id: part.toolCallId, name: part.toolName, content: outcome(part.output) };
  const written = toMessages(format, { text: "", calls: [], results: [result] });
  return [{ type: "text", text: written.findLast((one) => one.role === "tool")?.content ?? result.content }];
}

function outcome(output: LanguageModelV4ToolResultPart["output"]): string {
  switch (output.type) {
    case "text":
      return output.value;
    case "json":
      return typeof output.value === "string" ? output.value : JSON.stringify(output.value);
    case "error-text":
      return `ERROR: ${output.value}`;
    case "error-json":
      return `ERROR: ${JSON.stringify(output.value)}`;
    case "execution-denied":
      return `ERROR (permission_denied): ${output.reason ?? "the person denied this call"}`;
    case "content":
      return output.value.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
  }
}

/** Appends a message. Two user messages in a row become one, because some templates require alternating roles. */
function append(prompt: Message[], message: Message): void {
  const last = prompt.at(-1);
  if (last?.role !== "user" || message.role !== "user") {
    prompt.push(message);
    return;
  }
  const gap = { type: "text" as const, text: "\n\n" };
  prompt[prompt.length - 1] = { ...last, content: [...last.content, gap, ...message.content] };
}

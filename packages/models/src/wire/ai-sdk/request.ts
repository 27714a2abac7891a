/** Converts a model request to the AI SDK's call options. */
import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import type { ModelRequest } from "@localharness/engine";
import type { AssistantMessage, ImageContent, ModelMessage, ToolMessage } from "@localharness/protocol";
import { argumentsObject, parseObject } from "../../answer/arguments-object.ts";

type Assistant = Extract<LanguageModelV4Message, { role: "assistant" }>;

/** Returns the prompt and the tools. The same messages always give the same prompt. */
export function aiSdkRequest(
  request: ModelRequest,
  sendsReasoning: boolean,
): Pick<LanguageModelV4CallOptions, "prompt" | "tools" | "toolChoice"> {
  const prompt: LanguageModelV4Message[] = [];
  for (const message of request.messages) addMessage(prompt, message, sendsReasoning);
  if (request.tools.length === 0) return { prompt };
  const tools = request.tools.map(({ name, description, parameters }) => ({
    type: "function" as const,
    name,
    description,
    // Both types are plain JSON, but the type of `parameters` is read-only.
    inputSchema: structuredClone(parameters) as JSONSchema7,
  }));
  return { prompt, tools, toolChoice: { type: "auto" } };
}

function addMessage(prompt: LanguageModelV4Message[], message: ModelMessage, sendsReasoning: boolean): void {
  switch (message.role) {
    case "system":
      prompt.push({ role: "system", content: message.content });
      return;
    case "user":
      prompt.push({
        role: "user",
        content: [{ type: "text", text: message.content }, ...(message.images ?? []).map(filePart)],
      });
      return;
    case "assistant": {
      const content = assistantParts(message, sendsReasoning);
      // Services refuse a message without content, so it is left out.
      if (content.length > 0) prompt.push({ role: "assistant", content });
      return;
    }
    case "tool": {
      const last = prompt.at(-1);
      if (last?.role === "tool") last.content.push(resultPart(message));
      else prompt.push({ role: "tool", content: [resultPart(message)] });
      return;
    }
  }
}

function filePart({ mediaType, data }: ImageContent): LanguageModelV4FilePart {
  return { type: "file", mediaType, data: { type: "data", data } };
}

function assistantParts(message: AssistantMessage, sendsReasoning: boolean): Assistant["content"] {
  const { content, reasoning = "", toolCalls = [] } = message;
  return [
    ...(sendsReasoning && reasoning !== "" ? [{ type: "reasoning" as const, text: reasoning }] : []),
    ...(content === "" ? [] : [{ type: "text" as const, text: content }]),
    ...toolCalls.map((call) => ({
      type: "tool-call" as const,
      toolCallId: call.id,
      toolName: call.name,
      input: argumentsObject(call.arguments),
    })),
  ];
}

function resultPart(message: ToolMessage): LanguageModelV4ToolResultPart {
  const failed = parseObject(message.content)?.["success"] === false;
  return {
    type: "tool-result",
    toolCallId: message.toolCallId,
    toolName: message.toolName,
    output: { type: failed ? "error-text" : "text", value: message.content },
  };
}

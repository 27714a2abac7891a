/** Writes a request for Ollama's native chat. The same messages always give the same text. */
import type { ModelRequest } from "@localharness/engine";
import type { ModelMessage } from "@localharness/protocol";
import { argumentsObject } from "../arguments-object.ts";
import type { Habit } from "../profile/habits.ts";
import { shapeHistory } from "../profile/shape-history.ts";
import { requestText } from "../request-text.ts";

export type Thinking = boolean | "low" | "medium" | "high" | "max";

export interface OllamaRequestOptions {
  readonly model: string;
  /** Tokens of context to run with; always sent, as the server's own default is 4096 on most machines. */
  readonly numCtx: number;
  /** Most tokens of one answer; the server's own default when absent. */
  readonly numPredict?: number;
  readonly temperature?: number;
  readonly think?: Thinking;
  /** How long the model stays loaded: `"10m"`, seconds, 0 unloads, negative keeps. */
  readonly keepAlive?: string | number;
  /** `"json"`, or a JSON Schema that the answer has to follow. */
  readonly format?: "json" | object;
  /** Lets the server drop old messages silently when the prompt is too long. False: that is an error. */
  readonly truncate?: boolean;
  /** Lets the server drop the start of the context silently while it writes. False: the answer ends there. */
  readonly shift?: boolean;
  /** What the model's template demands of the history. */
  readonly habits?: ReadonlySet<Habit>;
}

export function ollamaBody(request: ModelRequest, options: OllamaRequestOptions): string {
  const { tools } = request;
  return requestText({
    model: options.model,
    messages: shapeHistory(request.messages, options.habits).map(ollamaMessage),
    ...(tools.length === 0 ? {} : { tools: tools.map(ollamaTool) }),
    stream: true,
    truncate: options.truncate ?? false,
    shift: options.shift ?? false,
    ...(options.think === undefined ? {} : { think: options.think }),
    ...(options.keepAlive === undefined ? {} : { keep_alive: options.keepAlive }),
    ...(options.format === undefined ? {} : { format: options.format }),
    options: {
      num_ctx: options.numCtx,
      ...(options.numPredict === undefined ? {} : { num_predict: options.numPredict }),
      ...(options.temperature === undefined ? {} : { temperature: options.temperature }),
    },
  });
}

function ollamaTool(tool: ModelRequest["tools"][number]) {
  const { name, description, parameters } = tool;
  return { type: "function", function: { name, description, parameters } };
}

function ollamaMessage(message: ModelMessage) {
  switch (message.role) {
    case "system":
      return { role: message.role, content: message.content };
    case "user":
      return {
        role: "user",
        content: message.content,
        ...(message.images === undefined ? {} : { images: message.images.map(({ data }) => data) }),
      };
    case "tool":
      return {
        role: "tool",
        content: message.content,
        tool_name: message.toolName,
        tool_call_id: message.toolCallId,
      };
    case "assistant":
      return {
        role: "assistant",
        content: message.content,
        ...(message.reasoning ? { thinking: message.reasoning } : {}),
        ...(message.toolCalls === undefined || message.toolCalls.length === 0
          ? {}
          : {
              tool_calls: message.toolCalls.map((call, index) => ({
                id: call.id,
                function: { index, name: call.name, arguments: argumentsObject(call.arguments) },
              })),
            }),
      };
  }
}

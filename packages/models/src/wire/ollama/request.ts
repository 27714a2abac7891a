/** Writes a request for Ollama's native chat API. The same messages always give the same text. */
import type { ModelRequest } from "@localharness/engine";
import type { ModelMessage } from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import { argumentsObject } from "../../answer/arguments-object.ts";
import { returnedCallFields, returnedFields } from "../../origin/returned.ts";
import type { Habit } from "../../request/profile/habits.ts";
import { shapeHistory } from "../../request/profile/shape-history.ts";
import { requestText } from "../../request/request-text.ts";

export type Thinking = boolean | "low" | "medium" | "high" | "max";

export interface OllamaRequestOptions {
  readonly model: string;
  /** The context size in tokens. It is always sent, because the server's own default is 4096 on most machines. */
  readonly numCtx: number;
  /**
   * The maximum number of tokens in one answer. If it is absent, the context size is the maximum, because no complete
   * answer is longer; a cloud model then gets no maximum.
   */
  readonly numPredict?: number;
  /** Sampling settings under Ollama's names. */
  readonly sampling?: Readonly<Record<string, number>>;
  readonly think?: Thinking;
  /**
   * How long the model stays loaded: a text such as `"10m"`, or seconds. 0 unloads it, and a negative number keeps it
   * loaded.
   */
  readonly keepAlive?: string | number;
  /** `"json"`, or a JSON Schema that the answer has to follow. */
  readonly format?: "json" | object;
  /** False after the server has refused a format; no format is then sent. */
  readonly holdsToSchema?: boolean;
  /**
   * True to let the server silently drop old messages if the prompt is too long. If false, which is the default, such a
   * prompt is an error.
   */
  readonly truncate?: boolean;
  /**
   * True to let the server silently drop the start of the context while it writes. If false, the answer ends when the
   * context is full. If absent, the server's default holds, as for other clients, so that the model is not reloaded for
   * this client (docs/decisions/0009-leave-shift-to-the-server.md).
   */
  readonly shift?: boolean;
  /** `AnswerOrigin.madeBy` of this server and model. Answers of this origin get back what came with them. */
  readonly madeBy?: string;
  /** What the model's template demands of the history. */
  readonly habits?: ReadonlySet<Habit>;
}

export function ollamaBody(request: ModelRequest, options: OllamaRequestOptions): string {
  const { tools } = request;
  return requestText({
    model: options.model,
    messages: shapeHistory(request.messages, options.habits).map((message) =>
      ollamaMessage(message, options.madeBy),
    ),
    ...(tools.length === 0 ? {} : { tools: tools.map(ollamaTool) }),
    stream: true,
    truncate: options.truncate ?? false,
    ...defined({ shift: options.shift, think: options.think, keep_alive: options.keepAlive }),
    ...formatOf(request, options),
    options: {
      num_ctx: options.numCtx,
      ...predictLimit(options),
      ...options.sampling,
    },
  });
}

function formatOf(request: ModelRequest, options: OllamaRequestOptions): object {
  const format = options.holdsToSchema === false ? undefined : (request.format ?? options.format);
  return format === undefined ? {} : { format };
}

/** Returns `num_predict`. A cloud model ignores `num_ctx`, so `num_ctx` must not limit its answers. */
function predictLimit({ model, numCtx, numPredict }: OllamaRequestOptions): object {
  if (numPredict !== undefined) return { num_predict: numPredict };
  return /[-:]cloud$/.test(model) ? {} : { num_predict: numCtx };
}

function ollamaTool(tool: ModelRequest["tools"][number]) {
  const { name, description, parameters } = tool;
  return { type: "function", function: { name, description, parameters } };
}

function ollamaMessage(message: ModelMessage, madeBy: string | undefined) {
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
        ...returnedFields(message, madeBy, "thinking"),
        role: "assistant",
        content: message.content,
        ...(message.toolCalls === undefined || message.toolCalls.length === 0
          ? {}
          : {
              tool_calls: message.toolCalls.map((call, index) => {
                const { outer, inner } = returnedCallFields(call, message.origin, madeBy);
                const args = argumentsObject(call.arguments);
                return {
                  ...outer,
                  id: call.id,
                  function: { ...inner, index, name: call.name, arguments: args },
                };
              }),
            }),
      };
  }
}

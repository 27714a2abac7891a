/** Writes a request for an OpenAI-compatible server. The same messages always give the same text. */
import type { ModelRequest } from "@localharness/engine";
import type {
  AssistantMessage,
  JsonObject,
  ModelMessage,
  ToolCall,
  UserMessage,
} from "@localharness/protocol";
import { argumentsText } from "../../answer/arguments-object.ts";
import { returnedCallFields, returnedFields, thoughtInContent } from "../../origin/returned.ts";
import type { Habit } from "../../request/profile/habits.ts";
import { noHabits, shapeHistory } from "../../request/profile/shape-history.ts";
import { requestText } from "../../request/request-text.ts";

export interface OpenaiRequestOptions {
  readonly model: string;
  readonly maxTokens?: number;
  /** Sampling settings under the server's names. */
  readonly sampling?: Readonly<Record<string, number>>;
  /** `"json"`, or a JSON Schema that the answer has to follow. */
  readonly format?: "json" | object;
  /** True to send the model's earlier reasoning with the history. Some servers refuse it. */
  readonly sendsReasoning?: boolean;
  /** True if the server is llama-server or forwards to llama-server, so that it accepts more fields. */
  readonly llamaServer?: boolean;
  /** The number of prompts that llama-server holds at once. */
  readonly slots?: number;
  readonly dialect: Dialect;
  /** More fields, such as those about thoughts. */
  readonly fields?: JsonObject;
  /** `AnswerOrigin.madeBy` of this server and model. Answers of this origin get back what came with them. */
  readonly madeBy?: string;
  /** What the model's template demands of the history. */
  readonly habits?: ReadonlySet<Habit>;
}

/** The request fields that this server understands, among those that some servers refuse. */
export interface Dialect {
  readonly includeUsage: boolean;
  readonly tokensKey: "max_tokens" | "max_completion_tokens";
  readonly temperature: boolean;
  /** True to send `return_progress`, which makes the server report its progress in reading the prompt. */
  readonly promptProgress: boolean;
  readonly parallelCalls: boolean;
  /** True to send `id_slot`, so that requests beside a turn use another slot. */
  readonly slots: boolean;
  readonly responseFormat: boolean;
  /** The settings of sampling, beside the temperature, that the server has refused. */
  readonly unsampled: readonly string[];
}

export const defaultDialect: Dialect = {
  includeUsage: true,
  tokensKey: "max_tokens",
  temperature: true,
  promptProgress: true,
  parallelCalls: true,
  slots: true,
  responseFormat: true,
  unsampled: [],
};

/**
 * Returns the dialect to try after a refusal, and a notice about the change. Returns undefined if the refusal has
 * another cause.
 */
export function otherDialect(
  dialect: Dialect,
  refusal: string,
): { dialect: Dialect; change: string } | undefined {
  if (dialect.includeUsage && /stream_options|include_usage/i.test(refusal)) {
    const change = "does not know stream_options; asking without token counts";
    return { dialect: { ...dialect, includeUsage: false }, change };
  }
  if (dialect.promptProgress && /return_progress/i.test(refusal)) {
    const change = "does not know return_progress; asking without progress of the prompt";
    return { dialect: { ...dialect, promptProgress: false }, change };
  }
  if (dialect.slots && /id_slot/i.test(refusal)) {
    const change = "does not take id_slot; asking without it";
    return { dialect: { ...dialect, slots: false }, change };
  }
  if (dialect.parallelCalls && /parallel_tool_calls|parallel (tool )?calls/i.test(refusal)) {
    const change = "does not take parallel_tool_calls; asking without it";
    return { dialect: { ...dialect, parallelCalls: false }, change };
  }
  if (dialect.tokensKey === "max_tokens" && /max_completion_tokens/i.test(refusal)) {
    const change = "wants max_completion_tokens; asking that way";
    return { dialect: { ...dialect, tokensKey: "max_completion_tokens" }, change };
  }
  if (dialect.temperature && /temperature/i.test(refusal)) {
    return {
      dialect: { ...dialect, temperature: false },
      change: "does not accept temperature; asking without it",
    };
  }
  return undefined;
}

/**
 * Returns the dialect without a setting of sampling that the refusal names, and a notice about it. Returns undefined if the
 * refusal names none that was sent.
 */
export function withoutSampling(
  dialect: Dialect,
  refusal: string,
  sampling: OpenaiRequestOptions["sampling"] = {},
): { dialect: Dialect; change: string } | undefined {
  const named = Object.keys(sampling).filter(
    (name) =>
      name !== "temperature" &&
      !dialect.unsampled.includes(name) &&
      new RegExp(`\\b${name}\\b`).test(refusal),
  );
  if (named.length === 0) return undefined;
  const change = `does not take ${named.join(", ")}; asking without it`;
  return { dialect: { ...dialect, unsampled: [...dialect.unsampled, ...named] }, change };
}

/**
 * The content that the habit `empty-part` sends in place of an empty text. Older servers turn an empty text into null, which
 * templates write as "None" or fail on.
 */
const emptyParts = [{ type: "text", text: "" }];

export function openaiBody(request: ModelRequest, options: OpenaiRequestOptions): string {
  const { tools } = request;
  const { dialect, habits = noHabits } = options;
  const how: Writing = {
    madeBy: options.madeBy,
    thoughtAs: options.sendsReasoning === true ? "reasoning_content" : undefined,
    empty: emptyContent(habits),
    namesResults: !habits.has("only-known-fields"),
    thinksWithCalls: habits.has("thoughts-with-calls"),
    signsCalls: habits.has("signed-calls"),
  };
  return requestText({
    model: options.model,
    messages: shapeHistory(request.messages, habits).map((message) => openaiMessage(message, how)),
    stream: true,
    ...(dialect.includeUsage ? { stream_options: { include_usage: true } } : {}),
    ...(tools.length === 0 ? {} : { tools: tools.map(openaiTool), tool_choice: "auto" }),
    ...(options.llamaServer === true ? llamaServerFields(request, options) : {}),
    ...(options.maxTokens === undefined ? {} : { [dialect.tokensKey]: options.maxTokens }),
    ...options.fields,
    ...sampledBy(options.sampling, dialect),
    ...responseFormat(dialect.responseFormat ? (request.format ?? options.format) : undefined),
  });
}

/** Returns the sampling settings without a temperature that the server has refused. */
function sampledBy(sampling: OpenaiRequestOptions["sampling"], dialect: Dialect): object {
  const { temperature, ...rest } = sampling ?? {};
  const others = Object.fromEntries(
    Object.entries(rest).filter(([name]) => !dialect.unsampled.includes(name)),
  );
  return temperature === undefined || !dialect.temperature ? others : { temperature, ...others };
}

/**
 * Returns the fields that are sent only to llama-server. Without `parallel_tool_calls`, its older versions read only the first
 * call of an answer.
 */
function llamaServerFields(
  { tools, beside }: ModelRequest,
  { dialect, slots = 1 }: OpenaiRequestOptions,
): object {
  return {
    ...(dialect.promptProgress ? { return_progress: true } : {}),
    ...(dialect.parallelCalls && tools.length > 0 ? { parallel_tool_calls: true } : {}),
    ...(dialect.slots && slots > 1 ? { id_slot: slotOf(slots, beside === true) } : {}),
  };
}

/**
 * Returns the slot of a request; `slots` is at least 2. Requests beside a turn get the last slot. Requests of turns get one of the other
 * slots, by the id of this process, so that two programs seldom take the same slot and read their prompts again and
 * again.
 */
function slotOf(slots: number, beside: boolean): number {
  return beside ? slots - 1 : process.pid % (slots - 1);
}

function openaiTool(tool: ModelRequest["tools"][number]) {
  const { name, description, parameters } = tool;
  return { type: "function", function: { name, description, parameters } };
}

function emptyContent(habits: ReadonlySet<Habit>): Writing["empty"] {
  if (habits.has("null-beside-calls") || habits.has("calls-without-content")) return null;
  return habits.has("empty-part") ? emptyParts : "";
}

interface Writing {
  readonly madeBy: string | undefined;
  /** The field for a thought of unknown origin; undefined to leave it out. */
  readonly thoughtAs: string | undefined;
  /** True to send the name of the tool with each result. */
  readonly namesResults: boolean;
  /** True to send an empty thought with calls that have no thought. */
  readonly thinksWithCalls: boolean;
  /** True to mark calls without a signature, so that Gemini does not look for it. */
  readonly signsCalls: boolean;
  /** The value that is sent in place of an empty content. */
  readonly empty: string | null | object;
}

function openaiMessage(message: ModelMessage, how: Writing) {
  switch (message.role) {
    case "system":
      return { role: message.role, content: message.content };
    case "user":
      return { role: "user", content: userContent(message) };
    case "tool":
      return {
        role: "tool",
        tool_call_id: message.toolCallId,
        ...(how.namesResults ? { name: message.toolName } : {}),
        content: message.content,
      };
    case "assistant":
      return openaiAnswer(message, how);
  }
}

/** A space, because some servers take an empty thought for a missing one. */
const noThought = { reasoning_content: " " };

function openaiAnswer(message: AssistantMessage, how: Writing) {
  const { toolCalls = [] } = message;
  const fields = returnedFields(message, how.madeBy, how.thoughtAs);
  return {
    ...(how.thinksWithCalls && toolCalls.length > 0 ? noThought : {}),
    ...fields,
    role: "assistant",
    content: answerContent(message, how),
    ...(toolCalls.length === 0
      ? {}
      : { tool_calls: toolCalls.map((call, index) => openaiCall(call, index, message.origin, how)) }),
  };
}

/** The mark with which Google's servers take a call of another model. Only the first call of a message needs it. */
const unsigned = { extra_content: { google: { thought_signature: "skip_thought_signature_validator" } } };

/** Returns the text of an answer. A thought that came as a part of the content goes back as such a part. */
function answerContent(message: AssistantMessage, { madeBy, empty }: Writing) {
  const { content } = message;
  const thought = thoughtInContent(message, madeBy);
  if (thought === undefined) return content === "" ? empty : content;
  const parts = content === "" ? [] : [{ type: "text", text: content }];
  return [{ type: "thinking", thinking: [{ type: "text", text: thought }] }, ...parts];
}

function openaiCall(call: ToolCall, index: number, origin: AssistantMessage["origin"], how: Writing) {
  const { outer, inner } = returnedCallFields(call, origin, how.madeBy);
  return {
    ...(how.signsCalls && index === 0 ? unsigned : {}),
    ...outer,
    id: call.id,
    type: "function",
    function: { ...inner, name: call.name, arguments: argumentsText(call.arguments) },
  };
}

/**
 * Returns the content of a user message. It is plain text if there are no images, because some servers accept a list of
 * parts only for vision models.
 */
function userContent({ content, images }: UserMessage) {
  if (images === undefined) return content;
  const parts = images.map(({ mediaType, data }) => ({
    type: "image_url",
    image_url: { url: `data:${mediaType};base64,${data}` },
  }));
  return [{ type: "text", text: content }, ...parts];
}

function responseFormat(format: "json" | object | undefined): object {
  if (format === undefined) return {};
  if (format === "json") return { response_format: { type: "json_object" } };
  return { response_format: { type: "json_schema", json_schema: { name: "answer", schema: format } } };
}

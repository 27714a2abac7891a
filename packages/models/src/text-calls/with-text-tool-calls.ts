/**
 * Wraps any model so that calls written as text are found. In mode `text`, and after the server has refused tools, describes
 * the tools in the prompt, and writes the history in a format that the model knows.
 */
import { type FormatId, formatsForModel } from "@localharness/detect";
import type { Model, ModelRequest } from "@localharness/engine";
import { defined, type ModelEvent } from "@localharness/protocol";
import { createCallIds } from "../answer/call-ids.ts";
import { relay } from "../answer/event-relay.ts";
import { countedBy } from "../choice/counted-by.ts";
import { describedToolsText } from "../choice/native-calls-text.ts";
import { type Rendering, renderHistory } from "./render-history.ts";
import { readingFor, type TextReading } from "./stands-alone.ts";
import { type PromptThoughts, TextCallReader } from "./text-call-reader.ts";

export type ToolCallMode = "auto" | "native" | "text";

export interface TextToolCallsOptions {
  /**
   * `auto` (the default) offers tools through the API, and reads calls from text too. `native` reads only calls of the
   * API. `text` describes the tools in the prompt, and reads calls from text.
   */
  readonly mode?: ToolCallMode;
  /**
   * The formats that the model knows; the prompt asks for the first one. By default these are the formats of the
   * model's family.
   */
  readonly formats?: readonly FormatId[];
  /** True to read only `formats`. By default all formats are read, because models change from one format to another. */
  readonly strictFormats?: boolean;
  /** The role of results in text mode. By default it is `tool`, and after the server has refused tools it is `user`. */
  readonly resultRole?: "tool" | "user";
  /** Returns the model's chat template if it is known. The template shows the format if the model's name does not. */
  readonly template?: () => string | undefined;
  /** Says whether the prompt opens a thought, and is told what answers show. By default no thought is expected. */
  readonly thoughts?: PromptThoughts;
}

/** The format for unknown models. Most models have seen it in training. */
const defaultFormat: FormatId = "hermes";

export function withTextToolCalls(model: Model, options: TextToolCallsOptions = {}): Model {
  const written = () =>
    options.formats?.[0] ?? formatsForModel(model.name, options.template?.())[0] ?? defaultFormat;
  const asked = (role: Rendering["resultRole"]): Rendering => ({
    format: written(),
    resultRole: options.resultRole ?? role,
  });
  let rendering: Rendering | undefined = options.mode === "text" ? asked("tool") : undefined;
  const formats = (options.strictFormats === true ? options.formats : undefined) ?? "auto";

  const asText = (request: ModelRequest, signal: AbortSignal, how: Rendering) => {
    const messages = renderHistory(request.messages, request.tools, how);
    // This model makes no native calls. The native calls in the transcript come from another model.
    const reader = readerFor(model.name, request, formats, "usual", options.thoughts);
    return relay(model.stream({ ...request, messages, tools: [] }, signal), (event) => reader.push(event));
  };

  /**
   * Describes the tools in the prompt after the server has refused them. This holds for the present request and all
   * later requests.
   */
  async function* switchToText(
    request: ModelRequest,
    signal: AbortSignal,
    refusal: string,
  ): AsyncGenerator<ModelEvent> {
    rendering = asked("user");
    const message = describedToolsText(model.name, refusal, rendering.format);
    yield { type: "model-retry", attempt: 1, waitMs: 0, message };
    yield* relay(asText(request, signal, rendering), (event) => {
      // The server refuses the text too, so the tools were not the cause.
      if (event.type === "model-error" && event.code === "bad-request") rendering = undefined;
      return [event];
    });
  }

  function stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    if (rendering !== undefined) return asText(request, signal, rendering);
    const onlyNative = options.mode === "native";
    const reading = onlyNative ? "none" : readingFor(request.messages);
    const reader = readerFor(model.name, request, formats, reading, options.thoughts);
    const offered = request.tools.length > 0 && !onlyNative;
    return relay(model.stream(request, signal), (event) =>
      offered && event.type === "model-error" && event.code === "tools-unsupported"
        ? { instead: switchToText(request, signal, event.message) }
        : reader.push(event),
    );
  }

  const sent = (request: ModelRequest) => {
    if (rendering === undefined) return request;
    return { ...request, messages: renderHistory(request.messages, request.tools, rendering), tools: [] };
  };
  return { name: model.name, provider: model.provider, stream, ...countedBy(model, sent) };
}

/** Returns the reader for an answer. The answer to a request without tools cannot contain calls, only thoughts. */
function readerFor(
  model: string,
  { tools, messages, maxCalls }: ModelRequest,
  formats: readonly FormatId[] | "auto",
  reading: TextReading,
  thoughts: PromptThoughts | undefined,
): TextCallReader {
  return new TextCallReader({
    tools,
    formats: tools.length === 0 ? [] : formats,
    ids: createCallIds(messages),
    reading,
    ...defined({ maxCalls, thoughts }),
    model,
  });
}

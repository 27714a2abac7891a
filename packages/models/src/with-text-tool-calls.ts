/**
 * Wraps any model so that calls it writes as text are found. Where the server takes no tools, they are described in the
 * prompt instead, and the conversation is written out in the format that the model's family knows.
 */
import { type FormatId, formatsForModel } from "@localharness/detect";
import type { Model, ModelRequest } from "@localharness/engine";
import type { ModelEvent } from "@localharness/protocol";
import { createCallIds } from "./call-ids.ts";
import { countedBy } from "./counted-by.ts";
import { relay } from "./event-relay.ts";
import { type Rendering, renderHistory } from "./text-calls/render-history.ts";
import { readingFor, type TextReading } from "./text-calls/stands-alone.ts";
import { TextCallReader } from "./text-calls/text-call-reader.ts";

export type ToolCallMode = "auto" | "native" | "text";

export interface TextToolCallsOptions {
  /**
   * `auto` (default): tools are offered through the API, and text is watched as well. `native`: only calls of the API count,
   * text stays text. `text`: tools are described in the prompt, and calls are read from text.
   */
  readonly mode?: ToolCallMode;
  /** Formats that the model knows: the first is the one it is asked for. By default what its family writes. */
  readonly formats?: readonly FormatId[];
  /** Reads no other formats than those. By default all are read, as models drift from one to another. */
  readonly strictFormats?: boolean;
  /** Role of results in text mode. By default `tool`, and `user` where the model is known to take no tools. */
  readonly resultRole?: "tool" | "user";
  /** The model's chat template as far as it is known by then, which tells its format when the name does not. */
  readonly template?: () => string | undefined;
}

/** What unknown models are asked to write: most have seen it. */
const usualFormat: FormatId = "hermes";

export function withTextToolCalls(model: Model, options: TextToolCallsOptions = {}): Model {
  const written = () =>
    options.formats?.[0] ?? formatsForModel(model.name, options.template?.())[0] ?? usualFormat;
  const asked = (role: Rendering["resultRole"]): Rendering => ({
    format: written(),
    resultRole: options.resultRole ?? role,
  });
  let rendering: Rendering | undefined = options.mode === "text" ? asked("tool") : undefined;
  const formats = (options.strictFormats === true ? options.formats : undefined) ?? "auto";

  const asText = (request: ModelRequest, signal: AbortSignal, how: Rendering) => {
    const messages = renderHistory(request.messages, request.tools, how);
    // It has no native calls: those of the transcript are another model's.
    const reader = readerFor(request, formats, "usual");
    return relay(
      model.stream({ ...request, messages, tools: [] }, signal),
      (event) => reader?.push(event) ?? [event],
    );
  };

  /** Where the server has refused tools: the person is told, and from now on they are described in the prompt. */
  async function* relent(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    rendering = asked("user");
    const message = `${model.name} takes no tools natively: they are described in the prompt (format ${rendering.format}), and its calls are read from its text.`;
    yield { type: "model-retry", attempt: 1, waitMs: 0, message };
    yield* asText(request, signal, rendering);
  }

  function stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    if (rendering !== undefined) return asText(request, signal, rendering);
    const onlyNative = options.mode === "native";
    const reader = readerFor(request, formats, onlyNative ? "none" : readingFor(request.messages));
    const offered = request.tools.length > 0 && !onlyNative;
    return relay(model.stream(request, signal), (event) =>
      offered && event.type === "model-error" && event.code === "tools-unsupported"
        ? { instead: relent(request, signal) }
        : (reader?.push(event) ?? [event]),
    );
  }

  const sent = (request: ModelRequest) => {
    if (rendering === undefined) return request;
    return { ...request, messages: renderHistory(request.messages, request.tools, rendering), tools: [] };
  };
  return { name: model.name, provider: model.provider, stream, ...countedBy(model, sent) };
}

/** Nothing has to be read where nothing can be called. */
function readerFor(
  { tools, messages }: ModelRequest,
  formats: readonly FormatId[] | "auto",
  reading: TextReading,
): TextCallReader | undefined {
  if (tools.length === 0) return undefined;
  return new TextCallReader({ tools, formats, ids: createCallIds(messages), reading });
}

/**
 * Wraps any model so that calls it writes as text are found. Where the server takes no tools, they are described in the
 * prompt instead, and the conversation is written out in the format that the model's family knows.
 */
import { type FormatId, formatsForModel } from "@localharness/detect";
import type { Model, ModelRequest } from "@localharness/engine";
import type { ModelEvent } from "@localharness/protocol";
import { createCallIds } from "./call-ids.ts";
import { type Rendering, renderHistory } from "./text-calls/render-history.ts";
import { TextCallReader } from "./text-calls/text-call-reader.ts";

export interface TextToolCallsOptions {
  /** `native` (default): tools are offered through the API, and text is watched as well. `text`: only in the prompt. */
  readonly mode?: "native" | "text";
  /** Only these formats are read, and the first is the one written; by default all are read, the family's is written. */
  readonly formats?: readonly FormatId[];
  /** Role of results in text mode. By default `tool`, and `user` where the server has said that it takes no tools. */
  readonly resultRole?: "tool" | "user";
  /** The model's chat template, which tells its format when the name does not. */
  readonly template?: string;
}

/** What unknown models are asked to write: most have seen it. */
const usualFormat: FormatId = "hermes";

export function withTextToolCalls(model: Model, options: TextToolCallsOptions = {}): Model {
  const written = options.formats?.[0] ?? formatsForModel(model.name, options.template)[0] ?? usualFormat;
  let rendering: Rendering | undefined =
    options.mode === "text" ? { format: written, resultRole: options.resultRole ?? "tool" } : undefined;
  const formats = options.formats ?? "auto";

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    if (rendering === undefined) {
      const refused = yield* readAnswer(model, request, request, signal, formats);
      if (!refused) return;
      rendering = { format: written, resultRole: options.resultRole ?? "user" };
      const message = `${model.name} takes no tools natively: they are described in the prompt (format ${written}), and its calls are read from its text.`;
      yield { type: "model-retry", attempt: 1, waitMs: 0, message };
    }
    const messages = renderHistory(request.messages, request.tools, rendering);
    yield* readAnswer(model, request, { messages, tools: [] }, signal, formats);
  }

  return { name: model.name, provider: model.provider, stream };
}

/** Streams one answer. True when nothing came but the refusal of tools, which is not passed on. */
async function* readAnswer(
  model: Model,
  request: ModelRequest,
  sent: ModelRequest,
  signal: AbortSignal,
  formats: readonly FormatId[] | "auto",
): AsyncGenerator<ModelEvent, boolean> {
  const reader =
    request.tools.length === 0
      ? undefined
      : new TextCallReader({ tools: request.tools, formats, ids: createCallIds(request.messages) });
  const offered = sent.tools.length > 0;
  for await (const event of model.stream(sent, signal)) {
    if (offered && event.type === "model-error" && event.code === "tools-unsupported") return true;
    if (reader === undefined) yield event;
    else for (const one of reader.push(event)) yield one;
  }
  return false;
}

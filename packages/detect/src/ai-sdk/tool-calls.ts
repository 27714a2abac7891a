/** Creates the middleware for the AI SDK: it sends tools natively or as text, and reads the calls in the text of replies. */
import type { LanguageModelV4CallOptions, LanguageModelV4Middleware } from "@ai-sdk/provider";
import { formatsForModel } from "../formats/formats-for-model.ts";
import type { FormatId } from "../types.ts";
import { asText } from "./as-text.ts";
import { readResult } from "./read-content.ts";
import { readStream } from "./read-stream.ts";
import { closedTool, type Reading, randomId, toolsOnOffer } from "./reading.ts";

export interface ToolCallsOptions {
  /**
   * `native` (default): the tools are sent through the API, and calls in text are read as well.
   * `text`: the prompt describes the tools, for models and servers that take none.
   */
  readonly mode?: "native" | "text";
  /**
   * The formats that the model knows; text mode asks for the first. The default follows from the model's name, else it is
   * `hermes`. All formats are read in any case (unless `strict` is set), because models sometimes write another one.
   */
  readonly format?: FormatId | readonly FormatId[];
  /** True to read only the formats in `format`. Has no effect without `format`. */
  readonly strict?: boolean;
  /** True if the model's prompt ends in an opened thought, so that its text begins inside it. */
  readonly startsInReasoning?: boolean;
  /**
   * With `call` (default), an unreadable call that has a name becomes a call with invalid input. The AI SDK answers it with
   * an error result, so that the model can correct itself. With `text`, it stays text.
   */
  readonly unreadable?: "call" | "text";
  /** Returns an id for a call, which must be new in the conversation. By default the id is random. */
  readonly generateId?: () => string;
}

/** Returns middleware for `wrapLanguageModel({ model, middleware })`. Text without calls and thoughts does not change. */
export function toolCalls(options: ToolCallsOptions = {}): LanguageModelV4Middleware {
  const prepare = (params: LanguageModelV4CallOptions, modelId: string) =>
    options.mode === "text" ? asText(params, askedFor(options.format, modelId)) : params;
  return {
    specificationVersion: "v4",
    async wrapGenerate({ params, model }) {
      const result = await model.doGenerate(prepare(params, model.modelId));
      const reading = readingOf(params, options, model.modelId);
      return reading === undefined ? result : readResult(result, reading);
    },
    async wrapStream({ params, model }) {
      const result = await model.doStream(prepare(params, model.modelId));
      const reading = readingOf(params, options, model.modelId);
      return reading === undefined
        ? result
        : { ...result, stream: result.stream.pipeThrough(readStream(reading)) };
    },
  };
}

function askedFor(format: ToolCallsOptions["format"], modelId: string): FormatId {
  const known = typeof format === "string" ? format : format?.[0];
  return known ?? formatsForModel(modelId)[0] ?? "hermes";
}

/** Returns how to read the reply; undefined if there are no tools to call. */
function readingOf(
  params: LanguageModelV4CallOptions,
  options: ToolCallsOptions,
  model: string,
): Reading | undefined {
  const tools = toolsOnOffer(params).map(closedTool);
  if (tools.length === 0) return undefined;
  return {
    tools,
    model,
    generateId: options.generateId ?? randomId,
    unreadable: options.unreadable ?? "call",
    ...(options.strict && options.format !== undefined ? { format: options.format } : {}),
    ...(options.startsInReasoning === undefined ? {} : { startsInReasoning: options.startsInReasoning }),
  };
}

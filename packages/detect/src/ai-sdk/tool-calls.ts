/** The middleware: sends the tools natively or as text, and reads calls in the reply. */
import type { LanguageModelV4CallOptions, LanguageModelV4Middleware } from "@ai-sdk/provider";
import { formatsForModel } from "../formats/formats-for-model.ts";
import type { FormatId } from "../types.ts";
import { asText } from "./as-text.ts";
import { readResult } from "./read-content.ts";
import { readStream } from "./read-stream.ts";
import { type Reading, randomId, toolsOnOffer } from "./reading.ts";

export interface ToolCallsOptions {
  /**
   * `native` (default): tools are offered through the API, and text is read as well.
   * `text`: they are described in the prompt, for models and servers that take none.
   */
  readonly mode?: "native" | "text";
  /**
   * Formats that the model knows; in text mode it is asked for the first of them. By default what the model's name
   * tells, else `hermes`. All formats are read whatever is set here, as models drift from one to another.
   */
  readonly format?: FormatId | readonly FormatId[];
  /** Reads no other formats than those. */
  readonly strict?: boolean;
  /** True when the model's prompt ends in an opened thought, so that its text begins inside it. */
  readonly startsInReasoning?: boolean;
  /**
   * What becomes of a call that cannot be read. `call` (default): a call with invalid input, which the AI SDK answers
   * with an error result, so that the model can correct itself. `text`: it stays text.
   */
  readonly unreadable?: "call" | "text";
  /** Makes the id of a call; it must be new in the conversation. Random by default. */
  readonly generateId?: () => string;
}

/** For `wrapLanguageModel({ model, middleware: toolCalls() })`. Replies without text calls pass unchanged. */
export function toolCalls(options: ToolCallsOptions = {}): LanguageModelV4Middleware {
  const prepare = (params: LanguageModelV4CallOptions, modelId: string) =>
    options.mode === "text" ? asText(params, askedFor(options.format, modelId)) : params;
  return {
    specificationVersion: "v4",
    async wrapGenerate({ params, model }) {
      const result = await model.doGenerate(prepare(params, model.modelId));
      const reading = readingOf(params, options);
      return reading === undefined ? result : readResult(result, reading);
    },
    async wrapStream({ params, model }) {
      const result = await model.doStream(prepare(params, model.modelId));
      const reading = readingOf(params, options);
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

/** Nothing has to be read where nothing can be called. */
function readingOf(params: LanguageModelV4CallOptions, options: ToolCallsOptions): Reading | undefined {
  const tools = toolsOnOffer(params);
  if (tools.length === 0) return undefined;
  return {
    tools,
    generateId: options.generateId ?? randomId,
    unreadable: options.unreadable ?? "call",
    ...(options.strict && options.format !== undefined ? { format: options.format } : {}),
    ...(options.startsInReasoning === undefined ? {} : { startsInReasoning: options.startsInReasoning }),
  };
}

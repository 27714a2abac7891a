/** What a model is to the engine. Adapters live in `models`; the engine never learns that wire formats exist. */
import type { JsonObject, ModelEvent, ModelMessage } from "@localharness/protocol";
import type { ParametersSchema } from "./json-schema.ts";

/** A tool as a model is told of it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: ParametersSchema;
}

export interface ModelRequest {
  /** Append-only between requests: each request's messages begin with those of the one before. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  /**
   * A JSON Schema that the answer has to follow. Only where no tools are on offer: a server that holds the model to it
   * lets no call through.
   */
  readonly format?: JsonObject;
}

export interface Model {
  readonly name: string;
  readonly provider: string;
  /**
   * Never throws once started, also when aborted: after any number of other events it yields exactly one
   * `model-end` or `model-error`.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Tokens that the request would be, counted by the server, which generates nothing. Never rejects; undefined where it cannot. */
  countTokens?(request: ModelRequest, signal: AbortSignal): Promise<number | undefined>;
}

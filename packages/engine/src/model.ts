/** A model, as the engine sees it. The adapters for servers are in the package `models`. */
import type { JsonObject, ModelEvent, ModelMessage } from "@localharness/protocol";
import type { ParametersSchema } from "./json-schema.ts";

/** What a model is told of a tool. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: ParametersSchema;
}

export interface ModelRequest {
  /** Each request's messages begin with those of the request before, so that the server's cache stays valid. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  /** A JSON Schema that the answer has to follow. Only without tools: a server that enforces it lets no call through. */
  readonly format?: JsonObject;
}

export interface Model {
  readonly name: string;
  readonly provider: string;
  /**
   * Yields the events of one answer, and as the last of them exactly one `model-end` or `model-error`. Never throws once
   * started, also when it is aborted.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Resolves to the tokens of the request, counted by the server; to undefined where it cannot count. Never rejects. */
  countTokens?(request: ModelRequest, signal: AbortSignal): Promise<number | undefined>;
}

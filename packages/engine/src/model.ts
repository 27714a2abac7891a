/** Declares the interface through which the engine uses a model. The adapters for servers are in the package `models`. */
import type { JsonObject, ModelEvent, ModelMessage, ModelPhase } from "@localharness/protocol";
import type { ParametersSchema } from "./json-schema.ts";

/** The description of a tool for a model. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: ParametersSchema;
}

export interface ModelRequest {
  /**
   * The messages. In a turn they begin with the messages of the previous request, so that the server's cache stays valid.
   * Only a compaction changes earlier messages.
   */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  /** A JSON Schema for the answer. It is used only without tools, because a server that enforces a schema allows no calls. */
  readonly format?: JsonObject;
  /**
   * The maximum number of calls of one answer that the model yields; the model only counts further calls. The default is
   * `maxCallsInAnswer`.
   */
  readonly maxCalls?: number;
  /**
   * True for a request "beside" the turn, such as a question of a tool or a request of an agent. It waits while a request of
   * a turn waits for the same server.
   */
  readonly beside?: boolean;
  /** Called when the model call enters a phase before its answer. Never called by a model that does not know its phases. */
  readonly onPhase?: (phase: WaitingPhase) => void;
}

/** A phase of a model call before its answer begins. */
export type WaitingPhase = Extract<ModelPhase, "connecting" | "loading" | "reading">;

export interface Model {
  readonly name: string;
  readonly provider: string;
  /** Replaces the limit `nudgesPerTurn` of the session, for a model that is known to announce steps without taking them. */
  readonly nudgesPerTurn?: number;
  /** The tokens of a prompt that the server reads in a second, if that was measured before. */
  readonly readsPerSecond?: number;
  /**
   * Yields the events of one answer. The last event, and no other, is a `model-end` or `model-error`. Must not throw, even
   * if it is aborted.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Resolves to the number of tokens in the request, counted by the server; undefined if it cannot count. Never rejects. */
  countTokens?(request: ModelRequest, signal: AbortSignal): Promise<number | undefined>;
  /**
   * Resolves to the context window in tokens with which the server runs the model; undefined if it is unknown. `tokens` is
   * the size of the prompt: for a prompt that fits into every window, the server need not be asked. Never rejects.
   */
  contextWindow?(tokens: number): Promise<number | undefined>;
  /**
   * Returns false if the server is known to forget what it read of the conversation when it answers another prompt, because it
   * holds one prompt at a time.
   */
  holdsSeveral?(): boolean;
}

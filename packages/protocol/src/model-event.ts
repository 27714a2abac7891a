/** The events of one model call, which every adapter yields in the same form. */
import type { JsonObject } from "./json.ts";
import type { AnswerOrigin } from "./message.ts";

export type StopReason = "stop" | "tool-calls" | "length" | "other";

export type ModelErrorCode =
  | "connection-refused"
  | "timeout"
  | "unauthorized"
  | "model-not-found"
  | "tools-unsupported"
  | "context-overflow"
  | "rate-limited"
  | "bad-request"
  | "server-error"
  | "bad-response"
  | "aborted";

/** The progress of the server in reading a prompt, in tokens. */
export interface PromptProgress {
  readonly totalTokens: number;
  /** Tokens of the prompt that the server had in its cache. */
  readonly cachedTokens: number;
  /** The tokens read so far, cached tokens included. */
  readonly doneTokens: number;
}

/**
 * What a model call does: it connects, the server loads the model, it reads the prompt, the model thinks, the model writes its
 * answer and its calls.
 */
export type ModelPhase = "connecting" | "loading" | "reading" | "thinking" | "writing";

/** The phase that a model call is in. */
export interface PhaseOfCall {
  readonly phase: ModelPhase;
  /** Milliseconds from the request to the beginning of the phase. */
  readonly atMs: number;
  /** The estimated tokens of the prompt that the server has to read; only in the phase `reading`. */
  readonly tokens?: number;
  /**
   * The milliseconds that reading these tokens takes at the speed that was measured before; absent if no speed is
   * known.
   */
  readonly expectedMs?: number;
}

/**
 * The limit at which an answer was cut off: the maximum number of output tokens (`output`), the context window (`window`), or the
 * maximum number of characters that the harness reads (`reading`).
 */
export type CutPlace = "output" | "window" | "reading";

/** Says at which limit an answer was cut off, and what the person can do about it. */
export interface AnswerCut {
  readonly at: CutPlace;
  /** Advice for the person, in full sentences. */
  readonly advice: string;
}

/** The events that a model yields. The last event, and no other, is a `model-end` or a `model-error`. */
export type ModelEvent =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  | {
      /** Voids all text, reasoning and calls of this answer so far. The answer follows again, split differently. */
      readonly type: "answer-restart";
    }
  | { readonly type: "tool-call-start"; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: "tool-call-delta"; readonly index: number; readonly argumentsText: string }
  | {
      readonly type: "tool-call-end";
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly arguments: string | JsonObject;
      /** The text format in which the call was written; absent for a native call. */
      readonly format?: string;
      /** The repairs that were needed to read the call, in order; absent if there were none. */
      readonly repairs?: readonly string[];
      /** `ToolCall.fields`. */
      readonly fields?: JsonObject;
    }
  | {
      /** A call that is unreadable, cut off or too long, or calls beyond the limit. None runs; the model gets the error. */
      readonly type: "tool-call-error";
      readonly index: number;
      readonly raw: string;
      readonly reason: string;
      readonly message: string;
      readonly format?: string;
      readonly name?: string;
      /** The number of calls that this event reports; absent for one call. Only the reason `too-many` reports several. */
      readonly calls?: number;
    }
  | {
      /** Cancels a `tool-call-start`, because the text was not a call. The text follows as `text-delta`. */
      readonly type: "tool-call-withdrawn";
      readonly index: number;
    }
  | {
      readonly type: "usage";
      /** Tokens of the prompt, counted by the server. */
      readonly inputTokens?: number;
      readonly outputTokens?: number;
      /** Tokens of the prompt that the server had in its cache. */
      readonly cachedTokens?: number;
      /** Size of the running model's context window, in tokens. */
      readonly contextWindow?: number;
    }
  | ({
      /** The progress of the server in reading the prompt, before the answer begins. Each event replaces the previous one. */
      readonly type: "prompt-progress";
    } & PromptProgress)
  | {
      readonly type: "model-retry";
      readonly attempt: number;
      readonly waitMs: number;
      readonly message: string;
    }
  | {
      readonly type: "model-end";
      readonly stopReason: StopReason;
      /**
       * The server's word for an end that is neither normal nor the limit of length, such as `content_filter`; empty if it
       * gave no reason.
       */
      readonly reason?: string;
      /** The limit that cut the answer off, if `stopReason` is `length`; absent if the limit is unknown. */
      readonly cut?: AnswerCut;
      /** `AssistantMessage.origin`. */
      readonly origin?: AnswerOrigin;
    }
  | {
      readonly type: "model-error";
      readonly code: ModelErrorCode;
      readonly message: string;
      readonly retryable: boolean;
      readonly status?: number;
    };

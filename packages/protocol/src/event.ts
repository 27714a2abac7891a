/**
 * Everything that happens, as one union: from the model's stream to every screen and to the session on disk.
 * Each event is plain JSON and carries deltas only.
 */
import type { ImageContent } from "./image.ts";
import type { JsonObject } from "./json.ts";
import type { ToolResult } from "./tool-result.ts";

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

/** Tokens of a prompt that is being read. */
export interface PromptProgress {
  readonly totalTokens: number;
  /** Of those, the ones that the server had in its cache. */
  readonly cachedTokens: number;
  /** Of those, the ones that are read; those of the cache count among them. */
  readonly doneTokens: number;
}

/** Where an answer was cut: at the most tokens of one answer, or where the window was full. */
export interface AnswerCut {
  readonly at: "output" | "window";
  /** What the person can do about it, in sentences. */
  readonly advice: string;
}

/** What a model yields. After any number of the others comes exactly one `model-end` or `model-error`. */
export type ModelEvent =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  | { readonly type: "tool-call-start"; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: "tool-call-delta"; readonly index: number; readonly argumentsText: string }
  | {
      readonly type: "tool-call-end";
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly arguments: string | JsonObject;
      /** How the call was written when it came as text; absent for a native call. */
      readonly format?: string;
      /** What had to be repaired to read it, in order; absent when nothing. */
      readonly repairs?: readonly string[];
    }
  | {
      /** Text that is meant as a call but cannot be read as one: nothing runs, the model is told. */
      readonly type: "tool-call-error";
      readonly index: number;
      readonly raw: string;
      readonly reason: string;
      readonly message: string;
      readonly format?: string;
      readonly name?: string;
    }
  | {
      /** What began as a call turned out to be none: it is no longer waited for. What was written follows as text. */
      readonly type: "tool-call-withdrawn";
      readonly index: number;
    }
  | {
      readonly type: "usage";
      /** Tokens of the prompt as the server counted them. */
      readonly inputTokens?: number;
      readonly outputTokens?: number;
      /** Tokens of the prompt that the server had in its cache. */
      readonly cachedTokens?: number;
      /** Tokens that the running model can hold. */
      readonly contextWindow?: number;
    }
  | ({
      /** How far the server has read the prompt. Each replaces the one before; no answer has begun yet. */
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
      /** With `length`, where it is known: which limit the answer has met. */
      readonly cut?: AnswerCut;
    }
  | {
      readonly type: "model-error";
      readonly code: ModelErrorCode;
      readonly message: string;
      readonly retryable: boolean;
      readonly status?: number;
    };

export type Risk = "safe" | "low" | "medium" | "high";
export type PermissionAnswer = "once" | "session" | "remember" | "deny";
export type PermissionMode = "default" | "plan" | "accept-edits" | "bypass";
export type ExecutorStateName =
  | "idle"
  | "evaluating_policy"
  | "awaiting_permission"
  | "executing"
  | "completed";

/** What a tool achieved, as data: the loop measures progress by it. */
export interface Achievement {
  readonly kind: "wrote" | "removed" | "committed" | "tests-passed" | "task-done";
  readonly subject?: string;
}

/** What speaks for asking about a call whatever was allowed, in words for the person. */
export interface PermissionConcern {
  readonly id: string;
  readonly reason: string;
}

export interface PermissionRequest {
  /** Not to be guessed, and of this one question: an answer to another one does nothing. */
  readonly requestId: string;
  readonly callId: string;
  readonly toolName: string;
  /** How the call was found: `native`, or the format that it was written in as text. Absent when no model made it. */
  readonly format?: string;
  /** The agent that wants it, when it is not the session's own model. */
  readonly agent?: string;
  /** What runs when it is allowed, to the byte. */
  readonly arguments: JsonObject;
  /** SHA-256 in hex of the canonical JSON of `arguments`: keys sorted, no spaces. */
  readonly argumentsHash: string;
  readonly risk: Risk;
  /** The rule that asked, and why. */
  readonly rule: string;
  readonly reason: string;
  /** What a `session` or `remember` answer would cover, in words. */
  readonly covers: string;
  /** None when nothing but a rule, the mode or the risk asks. */
  readonly concerns: readonly PermissionConcern[];
  /** What the call touches, as found on the disk, `/` between names; absent when that is not known. */
  readonly paths?: readonly { readonly path: string; readonly access: "read" | "write" }[];
  /** What confines the commands of this session, in words. */
  readonly sandbox?: string;
  /** How many more calls of this iteration have no result yet. */
  readonly waiting?: number;
  /** The change that would be made, as a unified diff, where the tool can tell. */
  readonly preview?: string;
}

export type TurnEndReason = "done" | "iteration-limit" | "loop" | "interrupted" | "error";

/** The life of one tool call after the model asked for it. */
export type ToolEvent =
  | { readonly type: "permission-request"; readonly request: PermissionRequest }
  | {
      readonly type: "permission-answer";
      readonly requestId: string;
      readonly answer: PermissionAnswer;
      /** `nobody` when there is no one to ask, or when an interrupt came first: an ask is then a deny. */
      readonly by: "person" | "nobody";
      /** What the person told the model with a denial. */
      readonly note?: string;
    }
  | {
      readonly type: "tool-start";
      readonly callId: string;
      readonly toolName: string;
      readonly arguments: JsonObject;
      /** What was changed to read the arguments, for the model; absent when nothing. */
      readonly notes?: readonly string[];
    }
  | {
      readonly type: "tool-progress";
      readonly callId: string;
      readonly text: string;
      /** Whose progress it is, when the call has started an agent. */
      readonly agent?: string;
    }
  | {
      /** A model call of an agent, which the call has started, has ended: its tokens are in no `usage`. */
      readonly type: "agent-usage";
      readonly callId: string;
      readonly agent: string;
      readonly model: string;
      readonly inputTokens?: number;
      readonly outputTokens?: number;
      readonly cachedTokens?: number;
      /** Milliseconds from the request to the end of the answer. */
      readonly durationMs: number;
    }
  | {
      readonly type: "tool-result";
      readonly callId: string;
      readonly toolName: string;
      readonly result: ToolResult;
      /** The message for people, `[Tool: ls] Status: SUCCESS ...`. */
      readonly display: string;
      readonly achieved?: readonly Achievement[];
    };

/** What the loop adds to the model's events. */
export type LoopEvent =
  | {
      readonly type: "session-start";
      readonly model: string;
      readonly provider: string;
      readonly workspace: string;
      readonly mode: PermissionMode;
      readonly tools: readonly string[];
      readonly systemPrompt: string;
    }
  | {
      /** An earlier session is gone on with, perhaps with another model or other tools; its system prompt stays. */
      readonly type: "session-resumed";
      readonly model: string;
      readonly provider: string;
      readonly workspace: string;
      readonly mode: PermissionMode;
      readonly tools: readonly string[];
    }
  | { readonly type: "mode-changed"; readonly mode: PermissionMode }
  | { readonly type: "model-changed"; readonly model: string; readonly provider: string }
  | {
      /** The tools on offer from now on. */
      readonly type: "tools-changed";
      readonly tools: readonly string[];
    }
  | { readonly type: "turn-start" }
  | {
      readonly type: "user-message";
      readonly content: string;
      readonly from: "person" | "harness";
      readonly images?: readonly ImageContent[];
    }
  | { readonly type: "iteration-start"; readonly iteration: number }
  | { readonly type: "executor-state"; readonly state: ExecutorStateName }
  | ToolEvent
  | { readonly type: "iteration-end"; readonly iteration: number; readonly toolCalls: number }
  | {
      /** For the person; the model is told by a `user-message` from `harness` or by a result's notes. */
      readonly type: "notice";
      readonly level: "info" | "warning";
      readonly code: string;
      readonly message: string;
    }
  | {
      readonly type: "turn-end";
      readonly reason: TurnEndReason;
      readonly code?: string;
      readonly message?: string;
      readonly retryable?: boolean;
      /** Calls that a person or a rule denied in this turn. */
      readonly denied: number;
    };

export interface EventEnvelope {
  readonly sessionId: string;
  /** Empty for what happens between turns. */
  readonly turnId: string;
  /** Counts from 1 without gaps within a session. */
  readonly seq: number;
}

export type EventBody = ModelEvent | LoopEvent;
export type SessionEvent = EventEnvelope & EventBody;

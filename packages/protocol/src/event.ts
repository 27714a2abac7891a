/**
 * The union of all events of a session. The model's stream, every screen and the session file use the same events.
 * Each event is plain JSON and carries only what changed.
 */
import type { ImageContent } from "./image.ts";
import type { JsonObject } from "./json.ts";
import type { QuestionAction, ServerQuestion } from "./server-question.ts";
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
      /** The limit that cut the answer off, if `stopReason` is `length`; absent if the limit is unknown. */
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
export const permissionModes = ["default", "plan", "accept-edits", "auto", "bypass"] as const;
export type PermissionMode = (typeof permissionModes)[number];
export type ExecutorStateName =
  | "idle"
  | "evaluating_policy"
  | "awaiting_permission"
  | "executing"
  | "completed";

/** Something that a tool achieved. The loop measures progress by it. */
export interface Achievement {
  readonly kind: "wrote" | "removed" | "committed" | "tests-passed" | "task-done";
  readonly subject?: string;
}

/** A reason to ask about a call even when a rule allows it. `reason` is text for the person. */
export interface PermissionConcern {
  readonly id: string;
  readonly reason: string;
}

export interface PermissionRequest {
  /** The random id of this question. An answer with another id has no effect. */
  readonly requestId: string;
  readonly callId: string;
  readonly toolName: string;
  /** `native`, or the text format in which the call was written. Absent when no model made the call. */
  readonly format?: string;
  /** The agent that made the call; absent when the session's own model made it. */
  readonly agent?: string;
  /** The exact arguments that run when the call is allowed. */
  readonly arguments: JsonObject;
  /** SHA-256 in hex of `arguments` as canonical JSON, with sorted keys and without spaces. */
  readonly argumentsHash: string;
  readonly risk: Risk;
  /** The rule that asks; `reason` says why. */
  readonly rule: string;
  readonly reason: string;
  /** The scope of a `session` or `remember` answer, in words. */
  readonly covers: string;
  /** The answers to offer. An answer is left out if it would allow the same as another; absent when all four differ. */
  readonly answers?: readonly PermissionAnswer[];
  /** The reasons to ask even if a rule allows the call; empty if only a rule, the mode or the risk asks. */
  readonly concerns: readonly PermissionConcern[];
  /** The paths that the call touches, links resolved, `/` as the separator; absent when they are not known. */
  readonly paths?: readonly { readonly path: string; readonly access: "read" | "write" }[];
  /** Says which sandbox confines the session's commands, or that none does; absent if the session was not told. */
  readonly sandbox?: string;
  /**
   * The number of other calls of the same answer with neither a result nor a permission yet, without duplicates; absent if
   * there are none.
   */
  readonly waiting?: number;
  /** The change that the call would make, as a unified diff; absent if it is unknown. */
  readonly preview?: string;
  /**
   * Present if the call presents a plan. Only an answer that allows the call and names a mode of `plan.modes` approves the plan.
   */
  readonly plan?: PlanQuestion;
}

export interface PlanQuestion {
  /** The modes in which the session can continue, the strictest first. */
  readonly modes: readonly PermissionMode[];
}

export type TurnEndReason = "done" | "iteration-limit" | "loop" | "interrupted" | "error";

/** The events of one tool call, after the model has made it. */
export type ToolEvent =
  | { readonly type: "permission-request"; readonly request: PermissionRequest }
  | {
      readonly type: "permission-answer";
      readonly requestId: string;
      readonly answer: PermissionAnswer;
      /** `nobody` if nobody can be asked, an interrupt came first, or the answer was invalid; `answer` is then `deny`. */
      readonly by: "person" | "nobody";
      /** The person's text for the model; only in a denial. */
      readonly note?: string;
      /** The mode in which the session continues; only in the approval of a plan. */
      readonly mode?: PermissionMode;
      /** The plan that the person edited; only in the approval of a plan. */
      readonly plan?: string;
    }
  | {
      readonly type: "tool-start";
      readonly callId: string;
      readonly toolName: string;
      readonly arguments: JsonObject;
      /** The repairs made to the arguments, as text for the model; absent when there were none. */
      readonly notes?: readonly string[];
    }
  | {
      readonly type: "tool-progress";
      readonly callId: string;
      readonly text: string;
      /** The agent that reports the progress, when the call has started one. */
      readonly agent?: string;
    }
  | {
      /**
       * A model call beside the turn has ended: of an agent, or of a tool that asks the model. `callId` is the tool call
       * that led to it. No `usage` event counts these tokens.
       */
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
      /** The message for people, such as `[Tool: ls] Status: SUCCESS ...`. */
      readonly display: string;
      readonly achieved?: readonly Achievement[];
      /** The change that the call made, as a unified diff; absent if the tool does not report it. */
      readonly diff?: string;
    };

/** A tool result of which the model gets a shorter content from now on. The view keeps the whole result. */
export interface ShortenedResult {
  readonly callId: string;
  /** The content of the tool message: a `ToolResult` as JSON text. */
  readonly content: string;
}

/**
 * The oldest messages, which are no longer sent to the model, except the system prompt, the person's messages and the notes
 * of the harness (without those that have images) among them.
 */
export interface FoldedMessages {
  /** The number of folded messages, without display messages. */
  readonly messages: number;
  /** The note, which tells the model what is left out. It follows the messages that stay, as a user message from `harness`. */
  readonly note: string;
  /** The model's own summary of the answers that are left out; absent if they had little text, or if none was written. */
  readonly summary?: string;
}

/** The events that the loop adds to the model's events. */
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
      /** An earlier session continues, perhaps with another model or other tools. Its system prompt stays. */
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
      /** The tools that are offered to the model from now on. */
      readonly type: "tools-changed";
      readonly tools: readonly string[];
    }
  | { readonly type: "turn-start" }
  | {
      readonly type: "user-message";
      readonly content: string;
      readonly from: "person" | "harness" | "file";
      /** The path of an attached file; only with `from: "file"`. */
      readonly path?: string;
      readonly images?: readonly ImageContent[];
    }
  | { readonly type: "iteration-start"; readonly iteration: number }
  | ({
      /** The model call enters another phase. A model that reports no phases, such as the demo, has no such events. */
      readonly type: "model-phase";
    } & PhaseOfCall)
  | { readonly type: "executor-state"; readonly state: ExecutorStateName }
  | ToolEvent
  | {
      /** Makes the requests shorter from now on: the prompt was too long or nearly so, or the person sent `compact`. */
      readonly type: "compaction";
      readonly shortened: readonly ShortenedResult[];
      /** Replaces the `folded` of an earlier compaction; if absent, the earlier value stays in force. */
      readonly folded?: FoldedMessages;
      /** The number of characters of all messages to the model before the compaction. */
      readonly charsBefore: number;
      /** The number of characters of all messages to the model after the compaction. */
      readonly charsAfter: number;
    }
  | { readonly type: "iteration-end"; readonly iteration: number; readonly toolCalls: number }
  | { readonly type: "server-question"; readonly question: ServerQuestion }
  | {
      /** The question is settled. What the person filled in goes to the server only, and is in no event. */
      readonly type: "server-question-answer";
      readonly questionId: string;
      readonly action: QuestionAction;
      /** `nobody` if nobody can be asked, or if the question ended before it was answered. */
      readonly by: "person" | "nobody";
    }
  | {
      /** A message for the person, which the model does not get. */
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
      /** The number of calls of this turn that a person, a rule, a limit or a hook denied. */
      readonly denied: number;
      /** The plan with which the turn ended, because nobody could approve it. */
      readonly plan?: string;
    };

export interface EventEnvelope {
  readonly sessionId: string;
  /** The id of the turn; empty for an event between turns. */
  readonly turnId: string;
  /** The number of the event in its session, from 1 without gaps. */
  readonly seq: number;
}

export type EventBody = ModelEvent | LoopEvent;
export type SessionEvent = EventEnvelope & EventBody;

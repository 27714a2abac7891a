/**
 * The union of all events of a session. The model's stream, every screen and the session file use the same events.
 * Each event is plain JSON and carries only what changed.
 */
import type { ImageContent } from "./image.ts";
import type { JsonObject } from "./json.ts";
import type { ModelEvent, PhaseOfCall } from "./model-event.ts";
import type { PermissionAnswer, PermissionMode, PermissionRequest } from "./permission-request.ts";
import type { QuestionAction, ServerQuestion } from "./server-question.ts";
import type { ToolResult } from "./tool-result.ts";

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
      /** The id of the offer that the person took; only with `once`. */
      readonly offer?: string;
      /** The person's text for the model; only in a denial. */
      readonly note?: string;
      /** True if a `session` or `remember` answer has the scope `wider` of the request. */
      readonly wider?: boolean;
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
      /** The reason of a failure in words for the person; absent if the result's message is for both. */
      readonly why?: string;
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
      /** The real paths of the folders that the person has added to the workspace, from now on. */
      readonly type: "folders-changed";
      readonly folders: readonly string[];
    }
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

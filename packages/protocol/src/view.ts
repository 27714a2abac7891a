/** Folds session events into a view. Every screen, the server and a resumed session use this one reducer. */
import { defined } from "./defined.ts";
import { type Draft, draftMessage, emptyDraft, growDraft } from "./draft.ts";
import type {
  EventEnvelope,
  ExecutorStateName,
  FoldedMessages,
  LoopEvent,
  SessionEvent,
  ToolEvent,
} from "./event.ts";
import type { JsonObject } from "./json.ts";
import type { AnswerOrigin, Message, ToolCall } from "./message.ts";
import type { ModelEvent, PhaseOfCall, PromptProgress } from "./model-event.ts";
import type { PermissionMode, PermissionRequest } from "./permission-request.ts";
import type { ServerQuestion } from "./server-question.ts";

export interface PendingCall {
  readonly callId: string;
  readonly toolName: string;
  readonly arguments: JsonObject;
  /** The newest progress text of the running call; empty before the first text. */
  readonly progress: string;
}

export interface View {
  readonly sessionId: string;
  readonly lastSeq: number;
  readonly session?: {
    readonly model: string;
    readonly provider: string;
    readonly workspace: string;
    readonly tools: readonly string[];
  };
  readonly mode: PermissionMode;
  /** The real paths of the folders that the person added to the workspace; absent if there never was one. */
  readonly folders?: readonly string[];
  /** The transcript, oldest first, display messages included. */
  readonly messages: readonly Message[];
  /** The shorter contents of tool results that the model gets, by the id of the call; absent before a `compaction`. */
  readonly shortened?: Readonly<Record<string, string>>;
  /** The messages that the model no longer gets; absent if it gets all. */
  readonly folded?: FoldedMessages;
  readonly draft: Draft;
  /** The progress of the server in reading the prompt; absent if it is not reading or reports no progress. */
  readonly reading?: PromptProgress;
  /** The phase of the model call that runs; absent if none runs, or if the model reports no phases. */
  readonly phase?: PhaseOfCall;
  readonly turn: { readonly id: string; readonly running: boolean; readonly iteration: number };
  readonly executor: ExecutorStateName;
  readonly permission?: PermissionRequest;
  /** The question of an MCP server that waits for the person; absent if none does. */
  readonly question?: ServerQuestion;
  readonly running: readonly PendingCall[];
  readonly usage: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly contextWindow?: number;
  };
  readonly notices: readonly {
    readonly level: "info" | "warning";
    readonly code: string;
    readonly message: string;
  }[];
  readonly lastEnd?: Extract<LoopEvent, { type: "turn-end" }>;
}

export const emptyView: View = {
  sessionId: "",
  lastSeq: 0,
  mode: "default",
  messages: [],
  draft: emptyDraft,
  turn: { id: "", running: false, iteration: 0 },
  executor: "idle",
  running: [],
  usage: { inputTokens: 0, outputTokens: 0 },
  notices: [],
};

/**
 * Returns the view after one event. Returns the same view for an event that was already applied (`seq` not above
 * `lastSeq`). An event of an unknown type changes only `lastSeq` and `sessionId`.
 */
export function applyEvent(view: View, event: SessionEvent): View {
  if (event.seq <= view.lastSeq) return view;
  const seen: View = { ...view, sessionId: event.sessionId, lastSeq: event.seq };
  const next: View | undefined = isModelEvent(event)
    ? applyModelEvent(withoutReading(seen), event)
    : applyLoopEvent(seen, event);
  return next ?? seen;
}

/**
 * Returns the view after all events, as `applyEvent` gives it when called for each of them, but in linear time. `applyEvent`
 * copies the lists of messages, notices and draft calls. So it gets empty lists here, and the new entries are collected in
 * separate arrays. It gets the draft calls only before an event that ends a draft, because then it reads them.
 */
export function foldEvents(view: View, events: Iterable<SessionEvent>): View {
  const messages = [...view.messages];
  const notices = [...view.notices];
  let calls = [...view.draft.toolCalls];
  let recent = withCalls({ ...view, messages: [], notices: [] }, []);
  for (const event of events) {
    if (draftEnds.has(event.type)) {
      recent = withCalls(recent, calls);
      calls = [];
    }
    recent = applyEvent(recent, event);
    if (recent.draft.toolCalls.length > 0) {
      for (const call of recent.draft.toolCalls) calls.push(call);
      recent = withCalls(recent, []);
    }
    if (recent.messages.length === 0 && recent.notices.length === 0) continue;
    messages.push(...recent.messages);
    notices.push(...recent.notices);
    recent = { ...recent, messages: [], notices: [] };
  }
  return { ...withCalls(recent, calls), messages, notices };
}

/** The events after which the draft has no calls. */
const draftEnds: ReadonlySet<SessionEvent["type"]> = new Set<SessionEvent["type"]>([
  "model-end",
  "model-error",
  "answer-restart",
  "turn-end",
]);

function withCalls(view: View, toolCalls: readonly ToolCall[]): View {
  return { ...view, draft: { ...view.draft, toolCalls } };
}

const modelEventTypes: ReadonlySet<string> = new Set<ModelEvent["type"]>([
  "text-delta",
  "reasoning-delta",
  "answer-restart",
  "tool-call-start",
  "tool-call-delta",
  "tool-call-end",
  "tool-call-error",
  "tool-call-withdrawn",
  "usage",
  "prompt-progress",
  "model-retry",
  "model-end",
  "model-error",
]);

function isModelEvent(event: SessionEvent): event is EventEnvelope & ModelEvent {
  return modelEventTypes.has(event.type);
}

/** Returns the view without `reading`, for any event of the model: it brings new progress, or the reading has ended. */
function withoutReading(view: View): View {
  if (view.reading === undefined) return view;
  const { reading: _done, ...rest } = view;
  return rest;
}

function withoutPhase(view: View): View {
  const { phase: _ended, ...rest } = view;
  return rest;
}

function applyModelEvent(view: View, event: ModelEvent): View {
  switch (event.type) {
    case "usage":
      return {
        ...view,
        usage: {
          inputTokens: view.usage.inputTokens + (event.inputTokens ?? 0),
          outputTokens: view.usage.outputTokens + (event.outputTokens ?? 0),
          ...(event.contextWindow === undefined ? {} : { contextWindow: event.contextWindow }),
        },
      };
    case "prompt-progress": {
      const { totalTokens, cachedTokens, doneTokens } = event;
      return { ...view, reading: { totalTokens, cachedTokens, doneTokens } };
    }
    case "model-end":
      return settleDraft(withoutPhase(view), undefined, event.origin);
    case "model-error":
      return settleDraft(withoutPhase(view), event.code === "aborted" ? "interrupted" : "error");
    case "model-retry":
      return notice(view, "info", "model-retry", event.message);
    case "text-delta":
    case "reasoning-delta":
    case "answer-restart":
    case "tool-call-start":
    case "tool-call-delta":
    case "tool-call-end":
    case "tool-call-error":
    case "tool-call-withdrawn":
      return { ...view, draft: growDraft(view.draft, event) };
  }
}

function applyLoopEvent(view: View, event: EventEnvelope & LoopEvent): View {
  switch (event.type) {
    case "session-start": {
      const { model, provider, workspace, tools, mode, systemPrompt } = event;
      return append({ ...view, session: { model, provider, workspace, tools }, mode }, [
        { role: "system", content: systemPrompt },
      ]);
    }
    case "session-resumed": {
      const { model, provider, workspace, tools, mode } = event;
      return { ...view, session: { model, provider, workspace, tools }, mode };
    }
    case "mode-changed":
      return { ...view, mode: event.mode };
    case "model-changed":
      return changeSession(view, { model: event.model, provider: event.provider });
    case "folders-changed":
      return { ...view, folders: event.folders };
    case "tools-changed":
      return changeSession(view, { tools: event.tools });
    case "turn-start":
      return { ...view, turn: { id: event.turnId, running: true, iteration: 0 } };
    case "user-message": {
      const { content, from, images, path } = event;
      return append(view, [{ role: "user", content, from, ...defined({ images, path }) }]);
    }
    case "iteration-start":
      return { ...view, turn: { ...view.turn, iteration: event.iteration } };
    case "model-phase": {
      const { phase, atMs, tokens, expectedMs } = event;
      return { ...view, phase: { phase, atMs, ...defined({ tokens, expectedMs }) } };
    }
    case "compaction": {
      const contents = event.shortened.map(({ callId, content }) => [callId, content] as const);
      const shortened = { ...view.shortened, ...Object.fromEntries(contents) };
      return { ...view, shortened, ...defined({ folded: event.folded }) };
    }
    case "iteration-end":
      return view;
    case "server-question":
      return { ...view, question: event.question };
    case "server-question-answer": {
      const { question: _settled, ...rest } = view;
      return rest;
    }
    case "executor-state":
      return { ...view, executor: event.state };
    case "notice":
      return notice(view, event.level, event.code, event.message);
    case "turn-end": {
      // A turn end closes an open question, running calls and a draft, even when no event closed them. Such a draft does not
      // become a message.
      const { permission: _open, question: _asked, ...rest } = view;
      return {
        ...rest,
        draft: emptyDraft,
        running: [],
        turn: { ...view.turn, running: false },
        lastEnd: event,
      };
    }
    case "permission-request":
    case "permission-answer":
    case "tool-start":
    case "tool-progress":
    case "agent-usage":
    case "tool-result":
      return applyToolEvent(view, event);
  }
}

function applyToolEvent(view: View, event: ToolEvent): View {
  switch (event.type) {
    case "permission-request":
      return { ...view, permission: event.request };
    case "permission-answer": {
      const { permission: _answered, ...rest } = view;
      return rest;
    }
    case "tool-start": {
      const { callId, toolName } = event;
      const call: PendingCall = { callId, toolName, arguments: event.arguments, progress: "" };
      return { ...view, running: [...view.running, call] };
    }
    case "tool-progress":
      return {
        ...view,
        running: view.running.map((call) =>
          call.callId === event.callId ? { ...call, progress: event.text } : call,
        ),
      };
    case "agent-usage":
      return view;
    case "tool-result": {
      const { callId: toolCallId, toolName, result, display } = event;
      const running = view.running.filter((call) => call.callId !== toolCallId);
      return append({ ...view, running }, [
        { role: "display", toolCallId, content: display },
        { role: "tool", toolCallId, toolName, content: JSON.stringify(result) },
      ]);
    }
  }
}

function changeSession(view: View, change: Partial<NonNullable<View["session"]>>): View {
  return view.session === undefined ? view : { ...view, session: { ...view.session, ...change } };
}

function append(view: View, messages: readonly Message[]): View {
  return { ...view, messages: [...view.messages, ...messages] };
}

function settleDraft(view: View, partial?: "interrupted" | "error", origin?: AnswerOrigin): View {
  const message = draftMessage(view.draft, partial, origin);
  const settled = { ...view, draft: emptyDraft };
  return message === undefined ? settled : append(settled, [message]);
}

function notice(view: View, level: "info" | "warning", code: string, message: string): View {
  return { ...view, notices: [...view.notices, { level, code, message }] };
}

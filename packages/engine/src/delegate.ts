/**
 * A task done in a conversation of its own, within a call of a session. It shares the session's permissions, prompts, limits
 * a minute and record; its tools are some of the session's, its mode is no laxer, and nothing in it can delegate further.
 */
import {
  type Achievement,
  applyEvent,
  type EventBody,
  emptyView,
  type ModelMessage,
  type PermissionMode,
  type View,
} from "@localharness/protocol";
import { runTurn, type TurnEnd } from "./agent-loop.ts";
import type { HookDesk } from "./calls/consult-hooks.ts";
import type { CallRecorder } from "./calls/record-calls.ts";
import type { BatchParts } from "./calls/run-batch.ts";
import { createConversation } from "./conversation.ts";
import { emptyRepeatMemory } from "./guards/repeats.ts";
import type { Model } from "./model.ts";
import type { QuotedCalls } from "./quoted/quoted-calls.ts";
import { createRegistry, type ToolRegistry } from "./registry.ts";
import { displayText } from "./tool-result.ts";
import type { Limits, Turn } from "./turn.ts";

export interface DelegatedWork {
  /** Who does it: shown in questions and progress, and put on record. */
  readonly agent: string;
  readonly task: string;
  readonly systemPrompt: string;
  /** Names out of the session's tools; the others of them are left out. Absent: those that only read. */
  readonly tools?: readonly string[];
  /** Absent: the session's. */
  readonly model?: Model;
  /** Counts only where it is stricter than the session's. */
  readonly mode?: PermissionMode;
  readonly iterations?: number;
}

export interface DelegatedEnd {
  readonly end: TurnEnd;
  /** The last that was said; `""` for nothing. */
  readonly answer: string;
  readonly iterations: number;
  readonly toolCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly achieved: readonly Achievement[];
}

/** What a session lends. */
export interface Delegator {
  readonly parts: BatchParts;
  readonly limits: Limits;
  model(): Model;
  freshCallId(wanted: string): string;
  recorderFor(agent: string): CallRecorder;
  /** Its hooks, whose runs go to that record. */
  hooksFor(recorder: CallRecorder): HookDesk;
  /** What calls of a conversation may be copies of. */
  quotedIn(messages: () => readonly ModelMessage[]): QuotedCalls;
}

/** The call that the work is done for. */
export interface DelegatingCall {
  readonly callId: string;
  readonly toolName: string;
  readonly signal: AbortSignal;
}

export type Delegate = (work: DelegatedWork, call: DelegatingCall) => Promise<DelegatedEnd>;

/** Never rejects but for a defect; an interrupt of the call ends it. */
export function createDelegate(from: Delegator): Delegate {
  return async (work, call) => {
    const conversation = createFold(work, call, from);
    const registry = lentTools(from.parts.registry, work, call.toolName);
    const recorder = from.recorderFor(work.agent);
    // The person's turn ends later.
    const hooks: HookDesk = { ...from.hooksFor(recorder), atEnd: () => Promise.resolve(undefined) };
    const { model, parts, freshCallId } = from;
    const { name, provider } = work.model ?? model();
    const mode = () => stricter(parts.mode(), work.mode);
    const { emit } = conversation;
    const quoted = from.quotedIn(conversation.messages);
    emit({
      type: "session-start",
      model: name,
      provider,
      workspace: parts.workspace,
      mode: mode(),
      tools: registry.list().map((tool) => tool.name),
      systemPrompt: work.systemPrompt,
    });
    emit({ type: "turn-start" });
    emit({ type: "user-message", content: work.task, from: "person" });
    const turn: Turn = {
      model: () => work.model ?? model(),
      limits: { ...from.limits, iterationsPerTurn: work.iterations ?? from.limits.iterationsPerTurn },
      signal: call.signal,
      batchParts: lentParts(parts, { registry, recorder, hooks, quoted, mode, emit }),
      emit,
      draft: () => conversation.view().draft,
      messages: () => conversation.messages(),
      tools: () => registry.definitions(),
      openCalls: () => conversation.openCalls(),
      freshCallId,
      hasSteering: () => false,
      takeSteering: () => undefined,
      tellModel: (content) => emit({ type: "user-message", content, from: "harness" }),
      notice: (level, code, message) => emit({ type: "notice", level, code, message }),
    };
    const end = await runTurn(turn);
    await recorder.handedOver();
    return conversation.amountsTo(end);
  };
}

const strictness: readonly PermissionMode[] = ["plan", "default", "accept-edits", "bypass"];

function stricter(one: PermissionMode, other: PermissionMode | undefined): PermissionMode {
  if (other === undefined) return one;
  return strictness.indexOf(other) < strictness.indexOf(one) ? other : one;
}

function lentTools(registry: ToolRegistry, { tools }: DelegatedWork, toolName: string): ToolRegistry {
  const lent = registry.list().filter((tool) => {
    if (tool.name === toolName) return false;
    return tools === undefined ? tool.readOnly : tools.includes(tool.name);
  });
  return createRegistry(lent);
}

type Own = Pick<BatchParts, "registry" | "recorder" | "hooks" | "quoted" | "mode" | "emit">;

function lentParts({ delegate: _once, ...parts }: BatchParts, own: Own): BatchParts {
  return {
    ...parts,
    ...own,
    repeats: { current: emptyRepeatMemory },
    deliver: ({ id, toolName, result, achieved }) =>
      own.emit({
        type: "tool-result",
        callId: id,
        toolName,
        result,
        display: displayText(toolName, result),
        ...(achieved.length === 0 ? {} : { achieved }),
      }),
  };
}

/** The conversation, folded from its own events; of them the session hears questions, answers and how it goes. */
function createFold({ agent }: DelegatedWork, call: DelegatingCall, { parts }: Delegator) {
  const conversation = createConversation();
  const counts = { iterations: 0, toolCalls: 0 };
  const achieved: Achievement[] = [];
  const usageOf = createUsageReader(() => parts.clock.monotonic());
  let view: View = emptyView;

  function tellSession(event: EventBody): void {
    if (event.type === "permission-request")
      parts.emit({ type: "permission-request", request: { ...event.request, agent } });
    if (event.type === "permission-answer") parts.emit(event);
    const text = progressText(event);
    const used = usageOf(event);
    const { callId, signal } = call;
    if (signal.aborted) return;
    if (text !== undefined) parts.emit({ type: "tool-progress", callId, text: parts.mask(text), agent });
    if (used !== undefined)
      parts.emit({ type: "agent-usage", callId, agent, model: view.session?.model ?? "", ...used });
  }

  return {
    view: () => view,
    messages: () => conversation.modelMessages,
    openCalls: () => conversation.openCalls,
    emit(event: EventBody): void {
      const next = applyEvent(view, {
        sessionId: parts.sessionId,
        turnId: agent,
        seq: view.lastSeq + 1,
        ...event,
      });
      for (const message of next.messages.slice(view.messages.length)) conversation.append(message);
      view = next;
      if (event.type === "iteration-start") counts.iterations++;
      if (event.type === "tool-result") {
        counts.toolCalls++;
        achieved.push(...(event.achieved ?? []));
      }
      tellSession(event);
    },
    amountsTo(end: TurnEnd): DelegatedEnd {
      const last = view.messages.findLast((message) => message.role === "assistant");
      const { inputTokens, outputTokens } = view.usage;
      return { end, answer: last?.content ?? "", ...counts, inputTokens, outputTokens, achieved };
    },
  };
}

type AgentUsage = Omit<Extract<EventBody, { type: "agent-usage" }>, "type" | "callId" | "agent" | "model">;

/** What a model call took, at its end. */
function createUsageReader(monotonic: () => number): (event: EventBody) => AgentUsage | undefined {
  let began = monotonic();
  let tokens: Partial<Omit<AgentUsage, "durationMs">> = {};
  return (event) => {
    if (event.type === "iteration-start") {
      began = monotonic();
      tokens = {};
    } else if (event.type === "usage") {
      const { type: _usage, contextWindow: _window, ...counts } = event;
      tokens = counts;
    } else if (event.type === "model-end" || event.type === "model-error")
      return { ...tokens, durationMs: Math.round(monotonic() - began) };
    return undefined;
  };
}

const longest = 160;

/** What a person is shown of the work while it goes on; undefined for what is not worth a line. */
function progressText(event: EventBody): string | undefined {
  switch (event.type) {
    case "tool-start":
      return clip(`→ ${event.toolName} ${JSON.stringify(event.arguments)}`);
    case "tool-result": {
      const { success, error_type, error_message } = event.result;
      return success ? undefined : clip(`✗ ${event.toolName} ${error_type}: ${error_message ?? ""}`);
    }
    case "model-retry":
      return clip(`… ${event.message}`);
    case "notice":
      return event.level === "warning" ? clip(`! ${event.message}`) : undefined;
    default:
      return undefined;
  }
}

function clip(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`;
}

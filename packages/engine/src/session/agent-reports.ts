/** Reports an agent's questions, progress and model calls to the session while the agent works. */
import type { EventBody } from "@localharness/protocol";
import type { DelegatingCall } from "../delegated-work.ts";

export interface AgentReporterParts {
  readonly agent: string;
  /** The call that the agent works for. */
  readonly call: DelegatingCall;
  emit(event: EventBody): void;
  mask(text: string): string;
  monotonic(): number;
}

/** Returns a function that reports an event of the agent to the session. `model` is the agent's current model. */
export function createAgentReporter(parts: AgentReporterParts): (event: EventBody, model: string) => void {
  const { agent, emit, mask } = parts;
  const { callId, signal } = parts.call;
  const usageOf = createUsageReader(() => parts.monotonic());
  return (event, model) => {
    if (event.type === "permission-request") {
      emit({ type: "permission-request", request: { ...event.request, agent } });
    }
    if (event.type === "permission-answer") emit(event);
    const text = progressText(event);
    const used = usageOf(event);
    if (signal.aborted) return;
    if (text !== undefined) emit({ type: "tool-progress", callId, text: mask(text), agent });
    if (used !== undefined) emit({ type: "agent-usage", callId, agent, model, ...used });
  };
}

type AgentUsage = Omit<Extract<EventBody, { type: "agent-usage" }>, "type" | "callId" | "agent" | "model">;

/** Returns a function that takes every event. At the end of a model call it returns the tokens and the time of the call. */
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
    } else if (event.type === "model-end" || event.type === "model-error") {
      return { ...tokens, durationMs: Math.round(monotonic() - began) };
    }
    return undefined;
  };
}

const maxProgressChars = 160;

/** Returns the line of progress for the person; undefined for an event that is not shown. */
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
  return text.length <= maxProgressChars ? text : `${text.slice(0, maxProgressChars).toWellFormed()}…`;
}

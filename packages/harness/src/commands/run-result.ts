/** Builds the result of a run as a JSON object: the answer, the reason why the run ended, and counts. */
import type { Session, TurnEnd } from "@localharness/engine";
import type { JsonValue, SessionEvent } from "@localharness/protocol";
import { defined } from "@localharness/protocol";

/** How a run ended. */
export interface RunOutcome {
  readonly exitCode: number;
  /** `cut` if the answer may be incomplete. */
  readonly reason: TurnEnd["reason"] | "cut" | "timeout" | "schema";
  /** The final answer of the model; empty if there is none. */
  readonly answer: string;
  /** The answer as JSON; present if a schema was given and the answer follows it. */
  readonly value?: JsonValue;
  /** The error message for the person. */
  readonly message?: string;
  readonly code?: string;
}

export interface RunResult {
  readonly type: "result";
  readonly sessionId: string;
  readonly model: string;
  readonly provider: string;
  readonly workspace: string;
  readonly reason: RunOutcome["reason"];
  readonly exitCode: number;
  /** The final answer of the model. */
  readonly result: string;
  /** The answer as JSON; present if `--schema` was given and the answer follows it. */
  readonly value?: JsonValue;
  readonly message?: string;
  readonly code?: string;
  /** The number of messages in the transcript, without display messages. */
  readonly messages: number;
  readonly turns: number;
  readonly iterations: number;
  readonly toolCalls: number;
  readonly denied: number;
  /** Includes the usage of agents, except in `retries` and `contextWindow`. */
  readonly usage: {
    /** The number of requests that ended with an answer or an error. Repeated attempts count as `retries`. */
    readonly requests: number;
    readonly retries: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cachedTokens: number;
    readonly contextWindow?: number;
  };
  /** The milliseconds from the first message to the end of the run. */
  readonly durationMs: number;
  readonly notices: readonly { readonly level: string; readonly code: string; readonly message: string }[];
}

export interface RunCounter {
  result(outcome: RunOutcome): RunResult;
}

/** Counts the events of a session from now on. Returns a counter whose `result` builds the result of the run. */
export function countRun(session: Session): RunCounter {
  const started = performance.now();
  const counts = { turns: 0, iterations: 0, toolCalls: 0, denied: 0 };
  const usage = { requests: 0, retries: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  // Notices from before this run are not part of its result.
  const earlierNotices = session.view().notices.length;
  session.subscribe((event: SessionEvent) => {
    if (event.type === "turn-start") counts.turns += 1;
    else if (event.type === "iteration-start") counts.iterations += 1;
    else if (event.type === "tool-result") counts.toolCalls += 1;
    else if (event.type === "turn-end") counts.denied += event.denied;
    else if (event.type === "model-end" || event.type === "model-error") usage.requests += 1;
    else if (event.type === "model-retry") usage.retries += 1;
    else if (event.type === "usage" || event.type === "agent-usage") {
      if (event.type === "agent-usage") usage.requests += 1;
      usage.inputTokens += event.inputTokens ?? 0;
      usage.outputTokens += event.outputTokens ?? 0;
      usage.cachedTokens += event.cachedTokens ?? 0;
    }
  });
  return {
    result({ answer, value, reason, exitCode, message, code }) {
      const view = session.view();
      const { contextWindow } = view.usage;
      return {
        type: "result",
        sessionId: session.id,
        model: view.session?.model ?? "",
        provider: view.session?.provider ?? "",
        workspace: view.session?.workspace ?? "",
        reason,
        exitCode,
        result: answer,
        ...defined({ value, message, code }),
        messages: view.messages.filter((one) => one.role !== "display").length,
        ...counts,
        usage: {
          ...usage,
          ...defined({ contextWindow }),
        },
        durationMs: Math.round(performance.now() - started),
        notices: view.notices.slice(earlierNotices),
      };
    },
  };
}

/** What a run amounts to, as one object of JSON: the answer, why it ended, and what it cost in counts. */
import type { Session } from "@localharness/engine";
import type { JsonValue, SessionEvent } from "@localharness/protocol";
import type { Outcome } from "./one-shot.ts";

export interface RunResult {
  readonly type: "result";
  readonly sessionId: string;
  readonly model: string;
  readonly provider: string;
  readonly workspace: string;
  readonly reason: Outcome["reason"];
  readonly exitCode: number;
  /** The model's last words. */
  readonly result: string;
  /** The answer as JSON, with `--schema`. */
  readonly value?: JsonValue;
  readonly message?: string;
  readonly code?: string;
  /** In the transcript, without those for people only. */
  readonly messages: number;
  readonly turns: number;
  readonly iterations: number;
  readonly toolCalls: number;
  readonly denied: number;
  /** That of agents included, but for `retries` and `contextWindow`. */
  readonly usage: {
    /** Requests to the model that were answered, well or not; those that were tried again are `retries`. */
    readonly requests: number;
    readonly retries: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cachedTokens: number;
    readonly contextWindow?: number;
  };
  /** Milliseconds from the first message to the end. */
  readonly durationMs: number;
  readonly notices: readonly { readonly level: string; readonly code: string; readonly message: string }[];
}

export interface RunCounter {
  result(outcome: Outcome): RunResult;
}

/** Counts a session from now on. */
export function countRun(session: Session): RunCounter {
  const started = performance.now();
  const counts = { turns: 0, iterations: 0, toolCalls: 0, denied: 0 };
  const usage = { requests: 0, retries: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  // What an earlier run was told is not news of this one.
  const earlierNotices = session.view().notices.length;
  session.subscribe((event: SessionEvent) => {
    if (event.type === "turn-start") counts.turns++;
    else if (event.type === "iteration-start") counts.iterations++;
    else if (event.type === "tool-result") counts.toolCalls++;
    else if (event.type === "turn-end") counts.denied += event.denied;
    else if (event.type === "model-end" || event.type === "model-error") usage.requests++;
    else if (event.type === "model-retry") usage.retries++;
    else if (event.type === "usage" || event.type === "agent-usage") {
      if (event.type === "agent-usage") usage.requests++;
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
        ...(value === undefined ? {} : { value }),
        ...(message === undefined ? {} : { message }),
        ...(code === undefined ? {} : { code }),
        messages: view.messages.filter((one) => one.role !== "display").length,
        ...counts,
        usage: {
          ...usage,
          ...(contextWindow === undefined ? {} : { contextWindow }),
        },
        durationMs: Math.round(performance.now() - started),
        notices: view.notices.slice(earlierNotices),
      };
    },
  };
}

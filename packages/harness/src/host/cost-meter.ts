/** Counts the costs of a session by model: requests, tokens as the server counts them, time and money. */
import type { CostReport, ModelCost, SessionEvent, TurnReuse } from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import { createReuseMeter } from "./reuse-meter.ts";

/** The prices of a million tokens, in any currency. */
export interface Prices {
  readonly input?: number;
  readonly output?: number;
}

export interface CostMeter {
  take(event: SessionEvent): void;
  report(prices: Prices): CostReport;
  /** Returns how much of the prompts of the last turns was in the server's cache, the oldest turn first. */
  turns(): readonly TurnReuse[];
}

const million = 1_000_000;

export function createCostMeter(ofSession: string, now: () => number = () => performance.now()): CostMeter {
  const models = new Map<string, ModelCost>();
  let current = ofSession;
  let began = 0;
  let toolCalls = 0;
  let toolMs = 0;
  const reuse = createReuseMeter();
  const add = (more: Partial<ModelCost>) => {
    const {
      requests = 0,
      inputTokens = 0,
      cachedTokens = 0,
      outputTokens = 0,
      ms = 0,
      model = current,
    } = more;
    const before = models.get(model);
    models.set(model, {
      model,
      requests: (before?.requests ?? 0) + requests,
      inputTokens: (before?.inputTokens ?? 0) + inputTokens,
      cachedTokens: (before?.cachedTokens ?? 0) + cachedTokens,
      outputTokens: (before?.outputTokens ?? 0) + outputTokens,
      ms: (before?.ms ?? 0) + ms,
    });
  };
  return {
    turns: reuse.turns,
    take(event) {
      reuse.take(event);
      switch (event.type) {
        case "session-start":
        case "session-resumed":
        case "model-changed":
          current = event.model;
          return;
        case "iteration-start":
          began = now();
          return;
        case "usage":
          return add(event);
        case "model-end":
        case "model-error":
          return add({ requests: 1, ms: now() - began });
        case "agent-usage":
          return add({ ...event, requests: 1, ms: event.durationMs });
        case "tool-result":
          toolCalls += 1;
          toolMs += event.result.metadata.execution_time_ms;
          return;
        default:
      }
    },
    report(prices) {
      const rows = [...models.values()];
      const money = moneyOf(rows, prices);
      return { models: rows, toolCalls, toolMs, ...defined({ money }) };
    },
  };
}

function moneyOf(rows: readonly ModelCost[], { input, output }: Prices): number | undefined {
  if (input === undefined && output === undefined) return undefined;
  const sum = (pick: (row: ModelCost) => number) => rows.reduce((total, row) => total + pick(row), 0);
  const inputs = sum((row) => row.inputTokens);
  const outputs = sum((row) => row.outputTokens);
  return (inputs * (input ?? 0) + outputs * (output ?? 0)) / million;
}

/** Looks at the end of an answer once more, with what the server counted: that may take a question to the server. */
import type { ModelEvent } from "@localharness/protocol";
import { relay } from "./event-relay.ts";

export type ModelEnd = Extract<ModelEvent, { type: "model-end" }>;
export type Usage = Extract<ModelEvent, { type: "usage" }>;

/** What the end becomes; undefined where it stays as it is. */
export type SettleEnd = (
  end: ModelEnd,
  usage: Usage | undefined,
) => Promise<ModelEvent | undefined> | undefined;

/** The same events, the last of which is what `settle` makes of it. */
export function settleEnd(
  source: AsyncIterable<ModelEvent>,
  settle: SettleEnd,
): AsyncIterableIterator<ModelEvent> {
  let usage: Usage | undefined;
  return relay(source, (event) => {
    if (event.type === "usage") usage = event;
    const settled = event.type === "model-end" ? settle(event, usage) : undefined;
    return settled === undefined || event.type !== "model-end" ? [event] : { instead: once(settled, event) };
  });
}

async function* once(settled: Promise<ModelEvent | undefined>, end: ModelEnd): AsyncGenerator<ModelEvent> {
  yield (await settled) ?? end;
}

/** Tokens of prompt and answer, where the server counted both. */
export function tokensInAll(usage: Usage | undefined): number | undefined {
  const { inputTokens, outputTokens } = usage ?? {};
  return inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens;
}

/**
 * Which limit an answer of the stop reason `length` has met: the most tokens of one answer, or the window, which filled
 * while the model wrote. Undefined where nothing tells. Fewer than one token is no limit.
 */
export function limitMet(
  usage: Usage | undefined,
  window: number | undefined,
  mostTokens: number | undefined,
): "output" | "window" | undefined {
  if (mostTokens !== undefined && mostTokens > 0 && (usage?.outputTokens ?? 0) >= mostTokens) return "output";
  const all = tokensInAll(usage);
  if (all === undefined || window === undefined) return undefined;
  // The last token is counted by some servers and not by others.
  return all >= window - 1 ? "window" : "output";
}

/**
 * Lets an adapter replace the last event of an answer after it has seen the token counts. The adapter may first ask the
 * server.
 */
import type { ModelEvent } from "@localharness/protocol";
import { relay } from "./event-relay.ts";

export type ModelEnd = Extract<ModelEvent, { type: "model-end" }>;
export type Usage = Extract<ModelEvent, { type: "usage" }>;

/** Returns the event that replaces the end; undefined to keep the end. */
export type SettleEnd = (
  end: ModelEnd,
  usage: Usage | undefined,
) => Promise<ModelEvent | undefined> | undefined;

/**
 * Returns the same events, but the result of `settle` replaces a `model-end` that does not say where the answer was
 * cut.
 */
export function settleEnd(
  source: AsyncIterable<ModelEvent>,
  settle: SettleEnd,
): AsyncIterableIterator<ModelEvent> {
  let usage: Usage | undefined;
  return relay(source, (event) => {
    if (event.type === "usage") usage = event;
    if (event.type !== "model-end" || event.cut !== undefined) return [event];
    const settled = settle(event, usage);
    return settled === undefined ? [event] : { instead: once(settled, event) };
  });
}

async function* once(settled: Promise<ModelEvent | undefined>, end: ModelEnd): AsyncGenerator<ModelEvent> {
  yield (await settled) ?? end;
}

/** Returns the tokens of prompt and answer together; undefined if the server did not count both. */
export function tokensInAll(usage: Usage | undefined): number | undefined {
  const { inputTokens, outputTokens } = usage ?? {};
  return inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens;
}

/**
 * Returns the limit that an answer with the stop reason `length` has reached: the maximum tokens of an answer
 * (`output`), or the context window. Returns undefined if the limit is unknown. `mostTokens` below 1 means that there
 * is no limit.
 */
export function limitMet(
  usage: Usage | undefined,
  window: number | undefined,
  mostTokens: number | undefined,
): "output" | "window" | undefined {
  if (mostTokens !== undefined && mostTokens > 0 && (usage?.outputTokens ?? 0) >= mostTokens) return "output";
  const all = tokensInAll(usage);
  if (all === undefined || window === undefined) return undefined;
  // Some servers count the last token, and others do not.
  return all >= window - 1 ? "window" : "output";
}

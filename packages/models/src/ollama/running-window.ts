/**
 * How large the window of the running model is, and whether an answer has outgrown it. Ollama's default, which every
 * client shares, is to drop the beginning of the conversation and write on; the counts of an answer tell it.
 */
import type { AnswerCut, ModelEvent } from "@localharness/protocol";
import type { Http } from "../http/http.ts";
import { limitMet, type ModelEnd, type SettleEnd, tokensInAll, type Usage } from "../settle-end.ts";
import { listLoadedModels } from "./models.ts";

export interface RunningWindow {
  /** As far as is known. */
  tokens(): number;
  /** The end of an answer as it is to be told: an error where the window was left, the limit where it was met. */
  readonly settle: SettleEnd;
}

export interface RunningWindowParts {
  readonly who: string;
  readonly model: string;
  readonly origin: string;
  readonly http: Http;
  readonly key?: string;
  readonly numCtx: number;
  readonly numPredict?: number;
}

/** Models that are used with tools have no smaller window: up to it nothing needs to be asked. */
const smallest = 8_192;
const limitMs = 2_000;

export function createRunningWindow(parts: RunningWindowParts): RunningWindow {
  let known: number | undefined;
  const tokens = () => known ?? parts.numCtx;

  async function settled(end: ModelEnd, usage: Usage, all: number): Promise<ModelEvent> {
    // What was learnt for an earlier answer may have changed since: another size loads the model anew.
    if (known === undefined || all > known) known = (await askLoaded(parts)) ?? parts.numCtx;
    // A longer prompt would have been refused: where it was not, the window is another than the one known.
    if (all > known && (usage.inputTokens ?? 0) <= known) return outgrown(parts.who, known);
    return end.stopReason === "length" ? { ...end, cut: cutOf(usage, known, parts) } : end;
  }

  return {
    tokens,
    settle(end, usage) {
      const all = tokensInAll(usage);
      if (usage?.contextWindow === undefined || all === undefined) return undefined;
      if (end.stopReason !== "length" && all <= Math.min(smallest, tokens())) return undefined;
      return settled(end, usage, all);
    },
  };
}

async function askLoaded({ http, origin, key, model }: RunningWindowParts): Promise<number | undefined> {
  const loaded = await listLoadedModels(http, origin, key, limitMs);
  if (!Array.isArray(loaded)) return undefined;
  return loaded.find(({ name }) => name === model || name === `${model}:latest`)?.contextWindow;
}

function outgrown(who: string, window: number): ModelEvent {
  const message = `The window of ${window} tokens filled while the model wrote, and ${who} dropped the beginning of the conversation to go on: the answer is not to be relied on, and none of its calls was run. ${advice(window)}`;
  return { type: "model-error", code: "context-overflow", message, retryable: false };
}

function cutOf(usage: Usage, window: number, { numPredict }: RunningWindowParts): AnswerCut {
  if (limitMet(usage, window, numPredict) === "window") return { at: "window", advice: advice(window) };
  const set =
    numPredict === undefined ? "The model's own settings limit it: set num_predict" : "Raise num_predict";
  return { at: "output", advice: `${set} to get it whole.` };
}

function advice(window: number): string {
  return `Start a new session, or run with a num_ctx above ${window}.`;
}

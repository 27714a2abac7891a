/**
 * Detects from the token counts that an answer has outgrown the context window of the running model. By default Ollama
 * then silently drops the beginning of the prompt and continues.
 */
import type { AnswerCut, ModelEvent } from "@localharness/protocol";
import { limitMet, type ModelEnd, type SettleEnd, tokensInAll, type Usage } from "../../answer/settle-end.ts";
import type { Http } from "../../http/http.ts";
import { type LoadedModel, listLoadedModels } from "./models.ts";

export interface RunningWindow {
  /** Returns the context window in tokens, as the server reported it, or else as configured. */
  tokens(): number;
  /**
   * Replaces the end of an answer with an error if the answer outgrew the window. Otherwise, if the stop reason is `length`,
   * adds the limit that the answer reached. Keeps the end if the server did not count the tokens, or if the
   * model runs on a remote host.
   */
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
  /** Called after the first answer with what the server says about the loaded model. */
  readonly onLoaded?: (loaded: LoadedModel) => void;
}

/**
 * The minimum context window, in tokens, of models that are used with tools. If prompt and answer together are shorter,
 * the server need not be asked for its window.
 */
const minWindow = 8_192;
const limitMs = 2_000;

export function createRunningWindow(parts: RunningWindowParts): RunningWindow {
  let known: number | undefined;
  const tokens = () => known ?? parts.numCtx;

  async function settled(end: ModelEnd, usage: Usage, all: number): Promise<ModelEvent> {
    // Another client may have reloaded the model with another size since the window was last asked for.
    if (known === undefined || all > known) known = (await loadedWindow(parts)) ?? parts.numCtx;
    // The server refuses a prompt that is longer than the window. If it accepted such a prompt, the known window is
    // wrong.
    if (all > known && (usage.inputTokens ?? 0) <= known) return outgrown(parts.who, known);
    return end.stopReason === "length" ? { ...end, cut: cutOf(usage, known, parts) } : end;
  }

  let isAsked = parts.onLoaded === undefined;
  /** Asks once which part of the model is in video memory. Does not delay the answer. */
  function askOnce(): void {
    if (isAsked) return;
    isAsked = true;
    void findLoaded(parts).then((loaded) => loaded !== undefined && parts.onLoaded?.(loaded));
  }

  return {
    tokens,
    settle(end, usage) {
      askOnce();
      const all = tokensInAll(usage);
      if (usage?.contextWindow === undefined || all === undefined) return undefined;
      if (end.stopReason !== "length" && all <= Math.min(minWindow, tokens())) return undefined;
      return settled(end, usage, all);
    },
  };
}

/** Returns the window in tokens with which Ollama has the model loaded now; undefined if it is not loaded or not listed. */
export async function loadedWindow(parts: LoadedParts): Promise<number | undefined> {
  return (await findLoaded(parts))?.contextWindow;
}

type LoadedParts = Pick<RunningWindowParts, "http" | "origin" | "key" | "model">;

async function findLoaded({ http, origin, key, model }: LoadedParts): Promise<LoadedModel | undefined> {
  const loaded = await listLoadedModels(http, origin, key, limitMs);
  if (!Array.isArray(loaded)) return undefined;
  return loaded.find(({ name }) => name === model || name === `${model}:latest`);
}

function outgrown(who: string, window: number): ModelEvent {
  const message = `The answer filled the context window of ${window} tokens, and ${who} dropped the beginning of the conversation. The answer is unreliable; none of its calls was run. ${advice(window)}`;
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

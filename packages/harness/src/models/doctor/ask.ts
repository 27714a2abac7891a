/** Asks a model one question and returns the whole answer with its times. */
import type { Model, ToolDefinition } from "@localharness/engine";
import { isJsonObject, type JsonObject, type ModelEvent } from "@localharness/protocol";

export interface TrialAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[];
  /** True if the end mark of a thought came without a start mark. */
  readonly openedThought: boolean;
  readonly taggedThought: boolean;
  readonly failure?: string;
  /** True if a time limit or an interrupt of the trial cut the answer off. */
  readonly late: boolean;
  /** True if the server says that the prompt is longer than the context window. */
  readonly tooLong: boolean;
  /** True if the server does not accept tools. */
  readonly refusedTools: boolean;
  readonly inputTokens?: number;
  /** The tokens of the prompt that the server did not have in its cache. */
  readonly readTokens?: number;
  readonly outputTokens?: number;
  /** The milliseconds until the first part of the answer. */
  readonly firstMs: number;
  /** The milliseconds from the first part of the answer to its end. */
  readonly restMs: number;
}

/** Asks a model one question. Also keeps the answer for the statistics of the trial. */
export type Put = (model: Model, task: string, tools: readonly ToolDefinition[]) => Promise<TrialAnswer>;

export interface AskLimits {
  /** Ends the whole trial. */
  readonly signal: AbortSignal;
  /** The time limit of the first part of the answer, in milliseconds. */
  readonly firstMs: number;
  /** The time limit of the rest of the answer, in milliseconds. */
  readonly restMs: number;
}

/**
 * Asks a model one question. Resolves to the answer when the model has ended it, or when a limit has cut it off. Never
 * rejects: an error of the model is the `failure` of the answer.
 */
export async function ask(
  model: Model,
  task: string,
  tools: readonly ToolDefinition[],
  { signal, firstMs, restMs }: AskLimits,
): Promise<TrialAnswer> {
  const answer = createAnswer();
  const late = new AbortController();
  let timer = setTimeout(() => late.abort(), firstMs);
  const messages = [{ role: "user", content: task, from: "person" }] as const;
  try {
    const limited = AbortSignal.any([signal, late.signal]);
    for await (const event of model.stream({ messages, tools }, limited)) {
      if (answer.take(event)) {
        clearTimeout(timer);
        timer = setTimeout(() => late.abort(), restMs);
      }
    }
  } finally {
    clearTimeout(timer);
  }
  return answer.end(late.signal.aborted || signal.aborted);
}

interface GrowingAnswer {
  /** Takes an event. Returns true for the first part of the answer. */
  take(event: ModelEvent): boolean;
  end(late: boolean): TrialAnswer;
}

function createAnswer(): GrowingAnswer {
  const began = performance.now();
  const answer = { text: "", reasoning: "", openedThought: false, refusedTools: false, tooLong: false };
  const calls: TrialAnswer["calls"][number][] = [];
  const rest: { failure?: string; inputTokens?: number; readTokens?: number; outputTokens?: number } = {};
  let first: number | undefined;

  const takeUsage = ({ inputTokens, cachedTokens = 0, outputTokens }: Usage) => {
    if (inputTokens !== undefined) {
      rest.inputTokens = inputTokens;
      rest.readTokens = inputTokens - cachedTokens;
    }
    if (outputTokens !== undefined) rest.outputTokens = outputTokens;
  };
  return {
    take(event) {
      if (event.type === "text-delta") answer.text += event.text;
      if (event.type === "reasoning-delta") answer.reasoning += event.text;
      if (event.type === "tool-call-end") {
        calls.push({ name: event.name, arguments: objectOf(event.arguments) });
      }
      if (event.type === "answer-restart") Object.assign(answer, { text: "", openedThought: true });
      if (event.type === "usage") takeUsage(event);
      if (event.type === "model-error") {
        rest.failure = event.message;
        answer.refusedTools = event.code === "tools-unsupported";
        answer.tooLong = event.code === "context-overflow";
      }
      if (first !== undefined || !/-delta$|^tool-call/.test(event.type)) return false;
      first = performance.now();
      return true;
    },
    end(late) {
      const ended = performance.now();
      return {
        ...answer,
        ...rest,
        ...thoughtIn(answer),
        late: late && rest.failure !== undefined,
        calls,
        firstMs: (first ?? ended) - began,
        restMs: ended - (first ?? ended),
      };
    },
  };
}

type Usage = Extract<ModelEvent, { type: "usage" }>;

function thoughtIn({ text, openedThought }: Pick<TrialAnswer, "text" | "openedThought">) {
  const mark = /<\/think(ing)?>|◁\/think▷|\[\/THINK\]/.exec(text);
  const opens = /<think(ing)?>|◁think▷|\[THINK\]/.test(text.slice(0, mark?.index ?? 0));
  return { openedThought: openedThought || (mark !== null && !opens), taggedThought: mark !== null && opens };
}

function objectOf(given: unknown): JsonObject {
  try {
    const value: unknown = typeof given === "string" ? JSON.parse(given) : given;
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

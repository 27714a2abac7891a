/** Asks a model one question and returns the whole answer with its times. */
import type { Model, ToolDefinition } from "@localharness/engine";
import { isJsonObject, type JsonObject } from "@localharness/protocol";

export interface Answer {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[];
  /** True if the end mark of a thought came without a start mark. */
  readonly openedThought: boolean;
  readonly taggedThought: boolean;
  readonly failure?: string;
  /** True if the server says that the prompt is longer than the context window. */
  readonly tooLong: boolean;
  /** True if the server does not accept tools. */
  readonly refusedTools: boolean;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** The milliseconds until the first part of the answer. */
  readonly firstMs: number;
  /** The milliseconds from the first part of the answer to its end. */
  readonly restMs: number;
}

/** Asks a model one question. Also keeps the answer for the statistics of the trial. */
export type Put = (model: Model, task: string, tools: readonly ToolDefinition[]) => Promise<Answer>;

/** The time limit of one answer, in milliseconds. */
export const maxAnswerMs = 30_000;

export async function ask(
  model: Model,
  task: string,
  tools: readonly ToolDefinition[],
  signal: AbortSignal,
): Promise<Answer> {
  const answer = {
    text: "",
    reasoning: "",
    openedThought: false,
    taggedThought: false,
    refusedTools: false,
    tooLong: false,
  };
  const calls: Answer["calls"][number][] = [];
  const rest: { failure?: string; inputTokens?: number; outputTokens?: number } = {};
  const began = performance.now();
  let first: number | undefined;
  const messages = [{ role: "user", content: task, from: "person" }] as const;
  const limited = AbortSignal.any([signal, AbortSignal.timeout(maxAnswerMs)]);
  for await (const event of model.stream({ messages, tools }, limited)) {
    if (event.type === "text-delta") answer.text += event.text;
    if (event.type === "reasoning-delta") answer.reasoning += event.text;
    if (event.type === "tool-call-end") {
      calls.push({ name: event.name, arguments: objectOf(event.arguments) });
    }
    if (event.type === "answer-restart") Object.assign(answer, { text: "", openedThought: true });
    if (event.type === "usage") {
      if (event.inputTokens !== undefined) rest.inputTokens = event.inputTokens;
      if (event.outputTokens !== undefined) rest.outputTokens = event.outputTokens;
    }
    if (event.type === "model-error") {
      rest.failure = event.message;
      answer.refusedTools = event.code === "tools-unsupported";
      answer.tooLong = event.code === "context-overflow";
    }
    if (/-delta$|^tool-call/.test(event.type)) first ??= performance.now();
  }
  const ended = performance.now();
  const mark = /<\/think(ing)?>|◁\/think▷|\[\/THINK\]/.exec(answer.text);
  const opens = /<think(ing)?>|◁think▷|\[THINK\]/.test(answer.text.slice(0, mark?.index ?? 0));
  return {
    ...answer,
    ...rest,
    openedThought: answer.openedThought || (mark !== null && !opens),
    taggedThought: mark !== null && opens,
    calls,
    firstMs: (first ?? ended) - began,
    restMs: ended - (first ?? ended),
  };
}

function objectOf(given: unknown): JsonObject {
  try {
    const value: unknown = typeof given === "string" ? JSON.parse(given) : given;
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

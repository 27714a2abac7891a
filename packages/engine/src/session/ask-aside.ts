/** Asks the session's model the questions of a running tool, outside of the conversation. */
import { defined, type ModelMessage } from "@localharness/protocol";
import type { AsideOf, AsideQuestion } from "../aside.ts";
import type { BatchParts } from "../calls/batch-parts.ts";
import type { Model, ModelRequest } from "../model.ts";
import { promptChars } from "../turn/prompt-size.ts";
import { readStream } from "../turn/read-stream.ts";
import { createMutex } from "./mutex.ts";

export interface AsideParts extends Pick<BatchParts, "emit" | "clock" | "mask"> {
  model(): Model;
  messages(): readonly ModelMessage[];
  /** Returns the last request of the turn. */
  lastRequest(): Pick<ModelRequest, "messages" | "tools">;
  /** Returns the context window in tokens; undefined if it is unknown. */
  window(): number | undefined;
  /** The maximum seconds of a request. */
  readonly maxSeconds: number;
}

const maxAnswerChars = 20_000;
const maxNeedChars = 600;
/** The context window in tokens that is assumed if the real one is unknown. */
const assumedWindow = 8_192;
/** The characters of a question for each token of the window. A question may fill 60 % of the window, at 3 characters a token. */
const charsPerWindowToken = 1.8;

/** The maximum characters of the turn's prompt and a question after it, for each token of the window: 80 % of the window. */
const charsPerFullWindow = 2.4;
/** The sentence before a question that follows the prompt of the turn. */
const besideText = "A question beside the conversation. Answer only this question, and call no tool:";

export function createAsides(parts: AsideParts): AsideOf {
  const { model, messages, lastRequest, window, emit, clock, mask, maxSeconds } = parts;
  const lock = createMutex();
  async function ask(callId: string, signal: AbortSignal, { who, system, question }: AsideQuestion) {
    const began = clock.monotonic();
    const asked = model();
    const enough = new AbortController();
    const ends = AbortSignal.any([signal, enough.signal, AbortSignal.timeout(maxSeconds * 1_000)]);
    let text = "";
    let tokens = {};
    const end = await readStream(asked, requestFor(asked, system, mask(question)), ends, (event) => {
      if (event.type === "text-delta") text += event.text;
      if (event.type === "answer-restart") text = "";
      if (event.type === "usage") {
        const { inputTokens, outputTokens, cachedTokens } = event;
        tokens = defined({ inputTokens, outputTokens, cachedTokens });
      }
      if (text.length > maxAnswerChars) enough.abort();
    });
    const durationMs = Math.round(clock.monotonic() - began);
    const counts = { callId, agent: who, model: asked.name, ...tokens, durationMs };
    if (!signal.aborted) emit({ type: "agent-usage", ...counts });
    return end.type === "model-end" ? text : undefined;
  }
  /**
   * Returns a request with the question alone. If the server holds one prompt at a time, and the prompt of the turn and the
   * question fit into the window together, the question follows that prompt, which the server would otherwise have to read
   * again.
   */
  function requestFor(asked: Model, system: string, question: string): ModelRequest {
    const alone = requestOf(system, question);
    if (asked.holdsSeveral?.() !== false) return alone;
    const { messages: before, tools } = lastRequest();
    const text = `${besideText}\n${system}\n\n${question}`;
    const most = (window() ?? assumedWindow) * charsPerFullWindow;
    if (before.length === 0 || promptChars(before) + text.length > most) return alone;
    return { messages: [...before, { role: "user", content: text, from: "harness" }], tools, beside: true };
  }

  return ({ callId, signal }) => ({
    need: needOf(messages()),
    maxChars: async () => {
      const tokens = window() ?? (await model().contextWindow?.(Number.POSITIVE_INFINITY)) ?? assumedWindow;
      return Math.floor(tokens * charsPerWindowToken);
    },
    ask: (question) => lock(() => ask(callId, signal, question)),
  });
}

function requestOf(system: string, question: string): ModelRequest {
  return {
    messages: [
      { role: "system", content: system },
      { role: "user", content: question, from: "harness" },
    ],
    tools: [],
    beside: true,
  };
}

/** Returns the person's last message and the last text of the model, each cut. */
function needOf(messages: readonly ModelMessage[]): string {
  const asked = messages.findLast((message) => message.role === "user" && message.from === "person");
  const said = messages.findLast(({ role, content }) => role === "assistant" && content.trim() !== "");
  const texts = [asked, said].map((message) => message?.content.trim().slice(0, maxNeedChars) ?? "");
  return texts.filter((text) => text !== "").join("\n");
}

/** Lets the model write down what it needs, before its old answers are left out of the prompt. */
import type { FoldedMessages, ModelMessage } from "@localharness/protocol";
import type { Compaction } from "./prompt-window.ts";
import { readStream } from "./read-stream.ts";
import { summarisingNotice, summaryRequestText } from "./texts.ts";
import type { Turn } from "./turn.ts";

/**
 * If the folded answers have fewer characters than this, the model is asked for no summary, because the note lists their calls.
 */
const minSaidChars = 600;
const maxSummaryChars = 3_000;
const maxMs = 120_000;

/**
 * Resolves to the compaction, with a summary by the model if the folded answers have enough text. Tells the person before
 * it asks the model. The request for the summary continues the prompt, so that the server's cache stays valid. If the model
 * writes no summary or the turn is interrupted, the earlier summary stays.
 */
export async function withSummary(turn: Turn, compaction: Compaction): Promise<Compaction> {
  const { folded } = compaction;
  if (folded === undefined || !needsSummary(compaction)) return compaction;
  turn.notice("info", "summary", summarisingNotice);
  const summary = await askSummary(turn);
  return summary === ""
    ? compaction
    : { ...compaction, folded: { ...folded, summary } satisfies FoldedMessages };
}

/** Returns true if the answers that are folded say so much that the model is asked for a summary. */
export function needsSummary({ folded, saidChars }: Compaction): boolean {
  return folded !== undefined && saidChars >= minSaidChars;
}

/** Resolves to the text of the model's answer, cut after 3,000 characters; empty if the model fails or takes too long. */
async function askSummary(turn: Turn): Promise<string> {
  const request: ModelMessage = { role: "user", content: summaryRequestText, from: "harness" };
  const enough = new AbortController();
  const signal = AbortSignal.any([turn.signal, enough.signal, AbortSignal.timeout(maxMs)]);
  const prompt = { messages: [...turn.messages(), request], tools: turn.tools() };
  let text = "";
  const end = await readStream(turn.model(), prompt, signal, (event) => {
    if (event.type === "text-delta") text += event.text;
    if (event.type === "answer-restart") text = "";
    if (event.type === "usage") turn.emit(event);
    if (text.length > maxSummaryChars) enough.abort();
  });
  const isUsable = end.type === "model-end" || enough.signal.aborted;
  return isUsable ? text.trim().slice(0, maxSummaryChars) : "";
}

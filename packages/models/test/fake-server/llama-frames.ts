/** Writes the prompt progress that llama-server sends before an answer if the request asks for it. */
import type { Answer } from "./answer.ts";

/** Returns the events of a stream with the prompt progress before them. */
export function* afterProgress(answer: Answer, frames: Iterable<string>): Generator<string> {
  const { lineEnd } = answer.wire;
  const choices = [{ index: 0, delta: { role: "assistant", content: null }, finish_reason: null }];
  for (const progress of answer.promptProgress) {
    const chunk = { object: "chat.completion.chunk", choices, prompt_progress: { ...progress, time_ms: 1 } };
    yield `data: ${JSON.stringify(chunk)}${lineEnd}${lineEnd}`;
  }
  yield* frames;
}

/** What llama-server says before an answer, to who asks for it: how far it has read the prompt. */
import type { Answer } from "./answer.ts";

export interface PromptProgressFrame {
  readonly total: number;
  readonly cache: number;
  readonly processed: number;
}

/** The events of a stream with word on the prompt before them. */
export function* afterProgress(answer: Answer, frames: Iterable<string>): Generator<string> {
  const { lineEnd } = answer.wire;
  const choices = [{ index: 0, delta: { role: "assistant", content: null }, finish_reason: null }];
  for (const progress of answer.promptProgress) {
    const chunk = { object: "chat.completion.chunk", choices, prompt_progress: { ...progress, time_ms: 1 } };
    yield `data: ${JSON.stringify(chunk)}${lineEnd}${lineEnd}`;
  }
  yield* frames;
}

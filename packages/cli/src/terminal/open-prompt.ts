/** The prompt of a question: it shows when the question can be answered. */
import type { LineSource } from "./lines.ts";
import type { TextOutput } from "./output.ts";

export type AnswerLines = Pick<LineSource, "next" | "settle">;

/** Shows `> `. What was typed before is no answer, and that is said. */
export async function openPrompt(
  lines: Pick<AnswerLines, "settle">,
  output: TextOutput,
  signal?: AbortSignal,
): Promise<void> {
  if (await lines.settle(signal))
    output.raw("What was typed before the question could be read is no answer to it.\n");
  if (signal?.aborted !== true) output.raw("> ");
}

/** Asks a question line by line. Waits until the question can be answered, and repeats it until a line is an answer. */
import type { LineSource } from "./lines.ts";
import type { TextOutput } from "./output.ts";

export type AnswerLines = Pick<LineSource, "next" | "settle">;

/** Prints the prompt `> `. First discards text that was typed too early, and says so. */
export async function openPrompt(
  lines: Pick<AnswerLines, "settle">,
  output: TextOutput,
  signal?: AbortSignal,
): Promise<void> {
  if (await lines.settle(signal)) output.raw("Text typed before the question could be read was ignored.\n");
  if (signal?.aborted !== true) output.raw("> ");
}

export type LineReading<Answer> =
  /** `allows`: the answer gives a permission. It is accepted only if the person types nothing right after it. */
  | { readonly kind: "answer"; readonly answer: Answer; readonly allows: boolean }
  /** The line is not an answer. `text` tells the person what to type. */
  | { readonly kind: "again"; readonly text: string };

export interface LineQuestion<Answer> {
  readonly lines: AnswerLines;
  readonly output: TextOutput;
  read(line: string): LineReading<Answer>;
  readonly signal?: AbortSignal;
}

/** Asks until a line is an answer. Returns undefined at the end of input or when `signal` aborts. */
export async function askLine<Answer>(question: LineQuestion<Answer>): Promise<Answer | undefined> {
  const { lines, output, signal } = question;
  for (;;) {
    await openPrompt(lines, output, signal);
    const line = await lines.next(signal);
    if (line === undefined) return undefined;
    const reading = question.read(line);
    if (reading.kind === "again") output.raw(reading.text);
    else if (!reading.allows || !(await lines.settle(signal))) return reading.answer;
    else output.raw("More was typed right after the answer, so nothing is allowed yet.\n");
  }
}

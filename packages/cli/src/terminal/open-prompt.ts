/** The prompt of a question that is asked line by line: when it can be answered, and which lines are an answer. */
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

export type LineReading<Answer> =
  /** One that `allows` counts when nothing comes right behind it. */
  | { readonly kind: "answer"; readonly answer: Answer; readonly allows: boolean }
  /** The line is no answer; the text says what is. */
  | { readonly kind: "again"; readonly text: string };

export interface LineQuestion<Answer> {
  readonly lines: AnswerLines;
  readonly output: TextOutput;
  read(line: string): LineReading<Answer>;
  readonly signal?: AbortSignal;
}

/** Asks until a line is an answer; undefined when no line will come, or the question is void. */
export async function askLine<Answer>(question: LineQuestion<Answer>): Promise<Answer | undefined> {
  const { lines, output, signal } = question;
  for (;;) {
    await openPrompt(lines, output, signal);
    const line = await lines.next(signal);
    if (line === undefined) return undefined;
    const reading = question.read(line);
    if (reading.kind === "again") output.raw(reading.text);
    else if (!reading.allows || !(await lines.settle(signal))) return reading.answer;
    else output.raw("More was typed right behind the answer, so nothing is allowed yet.\n");
  }
}

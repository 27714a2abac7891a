/** Prints a session as it happens: thoughts dimmed, text plain, tool calls and notices as lines. */
import type { Session } from "@localharness/engine";
import { answerTextOf } from "@localharness/protocol";
import type { Paint, TextOutput } from "../terminal/output.ts";
import { createReadingLines } from "../terminal/reading-line.ts";
import { eventLine } from "../terminal/tool-lines.ts";

/** Prints the following events of a session. Returns a function that stops printing. */
export function showSession(
  session: Pick<Session, "subscribe">,
  output: TextOutput,
  paint: Paint,
): () => void {
  let thinking = false;
  let said = "";
  let isRepeat = false;
  const readingLine = createReadingLines();
  return session.subscribe((event) => {
    if (event.type === "answer-restart") {
      // The text was printed as the answer, but it was the model's thought. It arrives again as one piece of reasoning.
      isRepeat = said.trim() !== "";
      said = "";
    }
    if (event.type === "reasoning-delta") {
      if (isRepeat) {
        isRepeat = false;
        output.endLine();
        output.raw(`${paint.dim("· the text above was the model's thought")}\n`);
        return;
      }
      if (!thinking) output.endLine();
      thinking = true;
      output.write(event.text, paint.dim);
      return;
    }
    if (thinking) output.endLine();
    thinking = false;
    const text = answerTextOf(event);
    if (text !== undefined) {
      said += text;
      output.write(text);
      return;
    }
    if (event.type === "model-end" || event.type === "model-error") {
      said = "";
      output.endLine();
    }
    const reading = readingLine(event);
    const line =
      event.type === "turn-end" && event.reason === "interrupted"
        ? paint.yellow("interrupted")
        : reading === undefined
          ? eventLine(event, paint)
          : paint.dim(`· ${reading}`);
    if (line === undefined) return;
    output.endLine();
    output.raw(`${line}\n`);
  });
}

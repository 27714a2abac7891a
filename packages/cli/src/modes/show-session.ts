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
  const readingLine = createReadingLines();
  return session.subscribe((event) => {
    if (event.type === "reasoning-delta") {
      if (!thinking) output.endLine();
      thinking = true;
      output.write(event.text, paint.dim);
      return;
    }
    if (thinking) output.endLine();
    thinking = false;
    const said = answerTextOf(event);
    if (said !== undefined) {
      output.write(said);
      return;
    }
    if (event.type === "model-end" || event.type === "model-error") output.endLine();
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

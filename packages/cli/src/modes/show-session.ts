/** Prints a session as it happens: thoughts dimmed, text plain, tool calls and notices as lines. */
import type { Session } from "@localharness/engine";
import type { TimelineChange } from "@localharness/protocol";
import type { Paint, TextOutput } from "../terminal/output.ts";
import { createReadingLines } from "../terminal/reading-line.ts";
import { changeLine } from "../terminal/tool-lines.ts";
import { addedText, endsText, followItems } from "./turn-items.ts";

/** Prints the following events of a session. Returns a function that stops printing. */
export function showSession(
  session: Pick<Session, "subscribe">,
  output: TextOutput,
  paint: Paint,
): () => void {
  const readingLine = createReadingLines();
  const putLine = (line: string) => {
    output.endLine();
    output.raw(`${line}\n`);
  };
  const follow = followItems(createPrinter(output, paint, putLine));
  return session.subscribe((event) => {
    follow(event);
    const reading = readingLine(event);
    if (reading !== undefined) putLine(paint.dim(`· ${reading}`));
  });
}

/** Returns a function that prints each change of an item. */
function createPrinter(
  output: TextOutput,
  paint: Paint,
  putLine: (line: string) => void,
): (change: TimelineChange) => void {
  let isRepeat = false;
  return (change) => {
    const { item } = change;
    if (endsText(change)) output.endLine();
    if (change.kind === "removed") {
      // The text was printed as the answer, but it was the model's thought. It arrives again as one piece of reasoning.
      if (item.kind === "answer" && item.text.trim() !== "") isRepeat = true;
      return;
    }
    if (change.kind === "grown" && item.kind === "thought") {
      if (isRepeat) putLine(paint.dim("· the text above was the model's thought"));
      else output.write(change.by, paint.dim);
      isRepeat = false;
      return;
    }
    const text = addedText(change);
    if (text !== undefined) output.write(text);
    const line =
      item.kind === "end" && item.reason === "interrupted"
        ? paint.yellow("interrupted")
        : changeLine(change, paint);
    if (line !== undefined) putLine(line);
    if (item.kind === "end") output.endLine();
  };
}

/** Prints the end of a continued session: the number of messages, the last question and the last answer. */
import { countText, type View } from "@localharness/protocol";
import type { Paint, TextOutput } from "../terminal/output.ts";
import { joinedLine, plainText } from "../terminal/plain-text.ts";

const answerChars = 2_000;

export function showHistory({ messages }: View, output: TextOutput, paint: Paint): void {
  const said = messages.filter(
    (message) => message.role === "assistant" || (message.role === "user" && message.from === "person"),
  );
  output.endLine();
  if (said.length === 0) {
    output.raw(paint.dim("This branch begins before your first message: it has no messages yet.\n"));
    return;
  }
  output.raw(
    paint.dim(`Continuing an earlier session of ${countText(said.length, "message")}. It ended with:\n`),
  );
  const question = said.findLast(({ role }) => role === "user");
  const answer = said.findLast(({ role }) => role === "assistant");
  if (question !== undefined) output.raw(paint.bold(`> ${joinedLine(question.content.slice(0, 300))}\n`));
  if (answer === undefined || answer.content === "") return;
  const cut = answer.content.length - answerChars;
  if (cut > 0) output.raw(paint.dim(`… ${countText(cut, "character")}\n`));
  output.raw(plainText(answer.content.slice(Math.max(0, cut))));
  output.endLine();
}

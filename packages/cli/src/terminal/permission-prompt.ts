/** Asks the person about one call and reads the answer. */
import type { PersonsAnswer } from "@localharness/engine";
import type { PermissionAnswer, PermissionRequest } from "@localharness/protocol";
import { type AnswerLines, openPrompt } from "./open-prompt.ts";
import type { TextOutput } from "./output.ts";
import { permissionText } from "./permission-text.ts";

const answers: Readonly<Record<string, PermissionAnswer>> = {
  "1": "once",
  a: "once",
  y: "once",
  "2": "session",
  s: "session",
  "3": "remember",
  r: "remember",
  "4": "deny",
  d: "deny",
  n: "deny",
};

/**
 * Asks until the answer is clear, or the question is void. The end of input is a deny; words behind a deny are a note to
 * the model.
 */
export async function askPermission(
  request: PermissionRequest,
  output: TextOutput,
  lines: AnswerLines,
  signal?: AbortSignal,
): Promise<PersonsAnswer> {
  output.endLine();
  output.raw(`\n${permissionText(request)}`);
  for (;;) {
    await openPrompt(lines, output, signal);
    const line = await lines.next(signal);
    if (line === undefined) {
      output.raw("no answer: denied\n");
      return { answer: "deny" };
    }
    const [word = "", ...rest] = line.trim().split(/\s+/);
    const answer = Object.hasOwn(answers, word.toLowerCase()) ? answers[word.toLowerCase()] : undefined;
    if (answer !== undefined && rest.length === 0) return { answer };
    // Words behind an allow may be a slip: they are not taken for one.
    if (answer === "deny") return { answer, note: line.trim().slice(word.length).trim() };
    if (word.toLowerCase() === "v") output.raw(`\n${permissionText(request, true)}`);
    else
      output.raw(
        "Type 1 (once), 2 (session), 3 (remember), 4 (deny, with a note if you like) or v (show all).\n",
      );
  }
}

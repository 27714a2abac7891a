/** Asks the person about one call and reads the answer. */
import type { PermissionAnswer, PermissionRequest } from "@localharness/protocol";
import type { TextOutput } from "./output.ts";
import { permissionText } from "./permission-text.ts";

/** The next line a person types; undefined when no more will come or the question is void. */
export type NextLine = () => Promise<string | undefined>;

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

/** Asks until the answer is clear. The end of input is a deny. */
export async function askPermission(
  request: PermissionRequest,
  output: TextOutput,
  nextLine: NextLine,
): Promise<PermissionAnswer> {
  output.endLine();
  output.raw(`\n${permissionText(request).text}> `);
  for (;;) {
    const line = await nextLine();
    if (line === undefined) {
      output.raw("no answer: denied\n");
      return "deny";
    }
    const word = line.trim().toLowerCase();
    const answer = Object.hasOwn(answers, word) ? answers[word] : undefined;
    if (answer !== undefined) return answer;
    if (word === "v") output.raw(`\n${permissionText(request, true).text}> `);
    else output.raw("Type 1 (once), 2 (session), 3 (remember), 4 (deny) or v (show all).\n> ");
  }
}

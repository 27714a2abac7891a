/** Asks whether the person trusts the files of a folder. */
import { foldLines } from "@localharness/harness/fold-lines";
import type { TrustAnswer } from "@localharness/harness/trust/settle-trust";
import { trustAnswers, trustText } from "@localharness/harness/trust/trust-question";
import { type AnswerLines, askLine, type LineReading } from "./open-prompt.ts";
import type { TextOutput } from "./output.ts";

/** Asks until the person answers. Returns "leave" if the input ends. */
export async function askTrust(
  { workspace, confined }: { readonly workspace: string; readonly confined: boolean },
  output: TextOutput,
  lines: AnswerLines,
): Promise<TrustAnswer> {
  output.raw(foldLines(trustText(workspace, confined), Math.min(80, process.stdout.columns || 80)));
  const answer = await askLine({ lines, output, read: readTrust });
  if (answer === undefined) output.raw("\n");
  return answer ?? "leave";
}

function readTrust(line: string): LineReading<TrustAnswer> {
  const answer = trustAnswers.get(line.trim().toLowerCase());
  if (answer === undefined) {
    return { kind: "again", text: "Type 1 (trust), 2 (auto), 3 (only read) or 4 (leave).\n" };
  }
  return { kind: "answer", answer, allows: answer === "trust" || answer === "auto" };
}

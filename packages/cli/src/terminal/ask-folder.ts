/** Asks whether the person trusts a folder that they add to the workspace. */
import { foldLines } from "@localharness/harness/fold-lines";
import { folderAnswers, folderQuestionText } from "@localharness/harness/folders/folder-question";
import type { FolderAnswer } from "@localharness/harness/folders/folder-trust";
import { type AnswerLines, askLine, type LineReading } from "./open-prompt.ts";
import type { TextOutput } from "./output.ts";

/** Asks until the person answers. Returns "leave" if the input ends. */
export async function askFolder(root: string, output: TextOutput, lines: AnswerLines): Promise<FolderAnswer> {
  output.raw(foldLines(folderQuestionText(root), Math.min(80, process.stdout.columns || 80)));
  const answer = await askLine({ lines, output, read: readAnswer });
  if (answer === undefined) output.raw("\n");
  return answer ?? "leave";
}

function readAnswer(line: string): LineReading<FolderAnswer> {
  const answer = folderAnswers.get(line.trim().toLowerCase());
  if (answer === undefined) {
    return { kind: "again", text: "Type 1 (trust), 2 (only read) or 3 (do not add it).\n" };
  }
  return { kind: "answer", answer, allows: answer === "trust" };
}

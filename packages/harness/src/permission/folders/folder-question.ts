/** Defines the question whether the person trusts a folder that they add to the workspace: its text, and what counts as an answer. */
import { visibleLine } from "@localharness/protocol";
import type { FolderAnswer } from "./folder-trust.ts";

/** Returns the text of the question. The caller folds long lines. */
export function folderQuestionText(root: string): string {
  return [
    "Do you trust the files in this folder, which you add to the workspace?",
    `  ${visibleLine(root)}`,
    "",
    "In a trusted folder its instructions are used, its ordinary files are read unasked, and tools may change it as the workspace. Otherwise it is only read.",
    "",
    "[1] Trust  [2] Only read  [3] Do not add it",
    "",
  ].join("\n");
}

/** The typed lines that count as answers, in lower case, each with its answer. */
export const folderAnswers: ReadonlyMap<string, FolderAnswer> = new Map([
  ["1", "trust"],
  ["y", "trust"],
  ["yes", "trust"],
  ["trust", "trust"],
  ["2", "read"],
  ["read", "read"],
  ["3", "leave"],
  ["n", "leave"],
  ["no", "leave"],
]);

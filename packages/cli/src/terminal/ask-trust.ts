/** Asks whether the person trusts the files of a folder. */
import type { TrustAnswer } from "@localharness/harness/trust/settle-trust";
import { type AnswerLines, askLine, type LineReading } from "./open-prompt.ts";
import type { TextOutput } from "./output.ts";
import { visibleLine } from "./plain-text.ts";

/** Returns the text of the question: the folder, what trust allows, and the answers. `confined`: there is a sandbox. */
export function trustText(workspace: string, confined: boolean): string {
  return [
    "Do you trust the files in this folder?",
    `  ${visibleLine(workspace)}`,
    "",
    "A model reads them, and text in them can steer it. In a trusted folder its",
    "rules and instructions are used, its ordinary files are read unasked, and",
    "tools that change things or run commands are on. Otherwise only tools that",
    "read are on.",
    confined
      ? "Auto: edits, and commands that stay in the sandbox, run unasked."
      : "Auto: edits run unasked; commands ask, because there is no sandbox here.",
    "",
    "[1] Trust, ask before changes  [2] Trust, auto  [3] Only read  [4] Leave",
    "",
  ].join("\n");
}

/** Asks until the person answers. Returns "leave" at the end of input. */
export async function askTrust(
  { workspace, confined }: { readonly workspace: string; readonly confined: boolean },
  output: TextOutput,
  lines: AnswerLines,
): Promise<TrustAnswer> {
  output.raw(trustText(workspace, confined));
  return (await askLine({ lines, output, read: readTrust })) ?? "leave";
}

function readTrust(line: string): LineReading<TrustAnswer> {
  const answer = trustAnswers.get(line.trim().toLowerCase());
  if (answer === undefined) {
    return { kind: "again", text: "Type 1 (trust), 2 (auto), 3 (only read) or 4 (leave).\n" };
  }
  return { kind: "answer", answer, allows: answer === "trust" || answer === "auto" };
}

const trustAnswers: ReadonlyMap<string, TrustAnswer> = new Map([
  ["1", "trust"],
  ["y", "trust"],
  ["yes", "trust"],
  ["2", "auto"],
  ["3", "read"],
  ["n", "read"],
  ["no", "read"],
  ["4", "leave"],
  ["q", "leave"],
]);

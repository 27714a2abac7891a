/** Asks whether the person trusts the files of a folder. */
import type { TrustAnswer } from "@localharness/harness/trust/settle-trust";
import { type AnswerLines, askLine, type LineReading } from "./open-prompt.ts";
import type { TextOutput } from "./output.ts";
import { visibleLine } from "./plain-text.ts";

/** Returns the text of the question: the folder, what trust allows, and the three answers. */
export function trustText(workspace: string): string {
  return [
    "Do you trust the files in this folder?",
    `  ${visibleLine(workspace)}`,
    "",
    "A model reads them, and text in them can steer it. In a trusted folder",
    "its rules and instructions are used, and tools that change things or run",
    "commands are on (they ask you first). Otherwise only tools that read are.",
    "",
    "[1] Trust  [2] Only read  [3] Leave",
    "",
  ].join("\n");
}

/** Asks until the person answers. Returns "leave" at the end of input. */
export async function askTrust(
  workspace: string,
  output: TextOutput,
  lines: AnswerLines,
): Promise<TrustAnswer> {
  output.raw(trustText(workspace));
  return (await askLine({ lines, output, read: readTrust })) ?? "leave";
}

function readTrust(line: string): LineReading<TrustAnswer> {
  const answer = trustAnswers.get(line.trim().toLowerCase());
  if (answer === undefined) return { kind: "again", text: "Type 1 (trust), 2 (only read) or 3 (leave).\n" };
  return { kind: "answer", answer, allows: answer === "trust" };
}

const trustAnswers: ReadonlyMap<string, TrustAnswer> = new Map([
  ["1", "trust"],
  ["y", "trust"],
  ["yes", "trust"],
  ["2", "read"],
  ["n", "read"],
  ["no", "read"],
  ["3", "leave"],
  ["q", "leave"],
]);

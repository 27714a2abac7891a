/** Defines the question whether the person trusts a folder: its text, and what counts as an answer. */
import { relative } from "node:path";
import { visibleLine } from "@localharness/protocol";
import { placeToTrust } from "./place-to-trust.ts";
import type { TrustAnswer } from "./settle-trust.ts";

/**
 * Returns the text of the question: the folder, what trust allows, and the answers. The caller folds long lines.
 * `confined` is true if there is a sandbox.
 */
export function trustText(workspace: string, confined: boolean): string {
  const place = placeToTrust(workspace);
  return [
    "Do you trust the files in this folder?",
    `  ${visibleLine(place)}`,
    ...(place === workspace
      ? []
      : [`  (the repository of ${visibleLine(relative(place, workspace))}, where you are)`]),
    "",
    "A model reads them, and text in them can steer it. In a trusted folder its rules and instructions are used, its ordinary files are read unasked, and tools that change things or run commands are on. Otherwise only tools that read are on.",
    confined
      ? "Auto: edits, and commands that stay in the sandbox, run unasked."
      : "Auto: edits run unasked; commands ask, because there is no sandbox here.",
    "",
    "[1] Trust, ask before changes  [2] Trust, auto  [3] Only read  [4] Leave",
    "",
  ].join("\n");
}

/** The typed lines that count as answers, in lower case, each with its answer. */
export const trustAnswers: ReadonlyMap<string, TrustAnswer> = new Map([
  ["1", "trust"],
  ["y", "trust"],
  ["yes", "trust"],
  ["trust", "trust"],
  ["2", "auto"],
  ["auto", "auto"],
  ["3", "read"],
  ["n", "read"],
  ["no", "read"],
  ["read", "read"],
  ["4", "leave"],
  ["q", "leave"],
  ["leave", "leave"],
]);

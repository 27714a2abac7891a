/**
 * Defines the command `/init`, a message that asks the model to look at the project and to write AGENTS.md with an
 * ordinary call.
 */
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { instructionNames } from "../instructions/read-instructions.ts";
import type { CommandFile } from "./command-file.ts";

/** The name of the command. No command of a file replaces it. */
export const initName = "init";

/**
 * Returns the command. Pass `workspace` only if it is trusted; without it, the message fits folders with and without
 * AGENTS.md.
 */
export function initCommand(workspace: Workspace | undefined): CommandFile {
  const existing = workspace && instructionNames.find((name) => isThere(workspace, name));
  return {
    name: initName,
    about: "asks the model to look at the project and write AGENTS.md",
    argumentHint: "[what matters]",
    template: `${beginnings[existing ?? "none"] ?? ""}

First look, with your tools:
1. ls the folder. Read the README and the manifests that are there: package.json, pyproject.toml, Cargo.toml, go.mod, Makefile.
2. Find the commands that build, test and check: in those files and in .github/workflows.
3. Read two source files and one test.

Then write AGENTS.md, at most 40 lines of Markdown:
- the project in one or two sentences
- the commands to build, to run all tests, to run one test, to check the style; exactly as found
- the folders that matter, one line each
- rules of the code that you saw

Write only what you have seen; leave out what you did not find. Then tell me in two sentences what is in it.`,
  };
}

const beginnings: Readonly<Record<string, string>> = {
  none: "Write AGENTS.md in this folder: what somebody must know to work on this project. If it exists already, read it first and improve it.",
  "AGENTS.md":
    "Improve AGENTS.md of this folder: what somebody must know to work on this project. Read it first. Keep what is right, correct what is wrong, add what is missing.",
  "CLAUDE.md":
    "Write AGENTS.md in this folder: what somebody must know to work on this project. Read CLAUDE.md first and take over what is right.",
};

function isThere(workspace: Workspace, name: string): boolean {
  const opened = workspace.openFile(name);
  if (opened.ok) opened.value[Symbol.dispose]();
  return opened.ok;
}

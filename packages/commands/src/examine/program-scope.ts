/** Computes the scope of an answer about a program that is started from a list of words, without a shell. */

import { childEnvironment } from "@localharness/processes/children/environment";
import { shellQuoted } from "@localharness/processes/children/shell-program";
import { defined } from "@localharness/protocol";
import { workspaceName } from "@localharness/workspace/changes/change-folder";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { createToolWrites } from "../answers/tool-writes.ts";
import { loadGrammar } from "../shell/grammar.ts";
import { createReader } from "../shell/reader.ts";
import { examineCommand } from "./examine-command.ts";

export interface ProgramScope {
  /**
   * A text that changes when the files that the program runs change. It is computed like the scope of a remembered command.
   */
  readonly scope: string;
  /** False if an answer must not be remembered, for example because the program runs files that cannot be compared. */
  readonly complete: boolean;
}

export interface ScopePlace {
  /** If given, the scope of an unknown program also changes when a tool writes in the workspace. */
  readonly stateFolder?: string | undefined;
  /** The folder in which the program starts, relative to the workspace; by default the workspace. */
  readonly folder?: string;
}

/** Resolves to the scope of the program. */
export async function programScope(
  workspace: Workspace,
  words: readonly string[],
  { stateFolder, folder = "." }: ScopePlace = {},
): Promise<ProgramScope> {
  const text = words.map(shellQuoted).join(" ");
  const searchPath = childEnvironment(process.env, [], [])["PATH"] ?? "";
  const writes =
    stateFolder === undefined ? undefined : createToolWrites(stateFolder, workspaceName(workspace.root));
  const reader = createReader(await loadGrammar());
  const command = {
    reading: reader.read(text),
    folder,
    searchPath,
    ...defined({ toolWrites: writes?.mark }),
  };
  const { scope = "", rememberable = false } = await examineCommand(workspace, command, reader);
  return { scope, complete: rememberable };
}

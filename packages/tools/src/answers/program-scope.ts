/** Computes the scope of an answer to a program that is started by its words, without a shell. */
import { workspaceName } from "../changes/change-folder.ts";
import { childEnvironment } from "../processes/environment.ts";
import { examineCommand } from "../shell/examine-command.ts";
import { loadGrammar } from "../shell/grammar.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { createToolWrites } from "./tool-writes.ts";

export interface ProgramScope {
  /** A text that changes with what the program runs, the same as for a remembered command. */
  readonly scope: string;
  /** False if it runs what cannot be compared. */
  readonly complete: boolean;
}

/** Resolves to the scope. With a state folder, the answer to an unknown program ends when a tool writes in the workspace. */
export async function programScope(
  workspace: Workspace,
  words: readonly string[],
  stateFolder?: string,
): Promise<ProgramScope> {
  const text = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  const searchPath = childEnvironment(process.env, [], [])["PATH"] ?? "";
  const writes =
    stateFolder === undefined ? undefined : createToolWrites(stateFolder, workspaceName(workspace.root));
  const command = {
    text,
    folder: ".",
    searchPath,
    ...(writes === undefined ? {} : { toolWrites: writes.mark }),
  };
  const { scope = "", rememberable = false } = await examineCommand(workspace, command, await loadGrammar());
  return { scope, complete: rememberable };
}

/** Runs a command that the person typed and that needs their terminal, such as an editor or a pager. */
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { terminalEnvironment } from "./edit-text.ts";
import type { Programs } from "./programs.ts";
import { shellArguments } from "./shell-program.ts";

/**
 * Runs the command, while nothing else may use the terminal. Resolves to the exit code; undefined if a signal ended it. The
 * output goes only to the terminal. Rejects if the command could not be started.
 */
export async function runPersonsTerminal(
  { programs, workspace }: { readonly programs: Programs; readonly workspace: Workspace },
  source: Readonly<Record<string, string | undefined>>,
  command: string,
): Promise<number | undefined> {
  const shell = shellArguments(command);
  const end = await programs.runInTerminal({
    program: shell.program,
    args: shell.args,
    cwd: workspace.root,
    reach: "whole",
    environment: terminalEnvironment(source, workspace.root),
    signal: new AbortController().signal,
  });
  if (end.kind === "not-started") throw new Error(`the command could not be started: ${end.code}`);
  return end.kind === "exited" ? end.code : undefined;
}

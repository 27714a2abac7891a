/** Examines a shell command that a tool is about to run: what it does, whether it leaves the sandbox, what undo would reverse. */
import type { CallFacts } from "@localharness/engine";
import { readsBash } from "@localharness/processes/children/shell-program";
import type { Sandbox } from "@localharness/processes/sandbox/sandbox";
import type { Snapshots } from "@localharness/workspace/snapshots/snapshots";
import type { ToolWrites } from "../answers/tool-writes.ts";
import { withSandboxLimit } from "../confined/sandbox-limit.ts";
import { withSandboxOffers } from "../confined/sandbox-offers.ts";
import type { GitParts } from "../git/run-git.ts";
import { listedPaths, shownPaths } from "../git/shown-paths.ts";
import { storedPaths } from "../git/stored-paths.ts";
import { withGrade } from "../keeping/grade-command.ts";
import { type CommandReader, createReader } from "../shell/reader.ts";
import { examineThere } from "./examine-there.ts";

export interface ExaminingParts extends GitParts {
  readonly sandbox: Sandbox;
  readonly snapshots: Snapshots;
  readonly writes: ToolWrites;
  openReader(): Promise<CommandReader>;
}

export interface ShellCommand {
  readonly text: string;
  /** The folder in which it runs, relative to the workspace. */
  readonly folder: string;
  readonly background: boolean;
}

/** Resolves to the facts about the command, with the offers and the grade of the question about it. */
export async function examineShell(
  parts: ExaminingParts,
  { text, folder, background }: ShellCommand,
  signal: AbortSignal,
): Promise<CallFacts> {
  const { workspace, sandbox, snapshots } = parts;
  const reader = readsBash()
    ? await parts.openReader()
    : createReader({ ok: false, problem: "there is no bash here" });
  const command = {
    reading: reader.read(text),
    folder,
    searchPath: parts.programs.searchPath(),
    toolWrites: (except: readonly string[]) => parts.writes.mark(except),
    shownByGit: (words: readonly string[]) => shownPaths(parts, words, signal),
    storedByGit: (words: readonly string[], folders: readonly string[] | undefined) =>
      storedPaths(parts, { words, folders }, signal),
    listByGit: (words: readonly string[]) => listedPaths(parts, words, signal),
    // What a job changes is not recorded.
    ...(background ? {} : { keeps: snapshots.covers }),
  };
  const facts = await examineThere(workspace, command, reader);
  return withGrade(withSandboxOffers(withSandboxLimit(sandbox, facts), sandbox), {
    root: workspace.root,
    confined: sandbox.state.kind === "on",
    keeping: snapshots.keeping && !background,
  });
}

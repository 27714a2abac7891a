/** Runs a command that the person typed, without a question and without the sandbox. Keys of providers are not passed to it. */

import { createOutputCapture } from "@localharness/processes/children/capture-output";
import { describeOutput } from "@localharness/processes/children/describe-output";
import type { OutputFolder } from "@localharness/processes/children/output-folder";
import type { Programs } from "@localharness/processes/children/programs";
import { shellArguments } from "@localharness/processes/children/shell-program";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { type KeepingParts, keepAroundTyped, type TypedCommand } from "./around-typed.ts";

/** The time limit: one hour. The person can end the command at any time. */
const timeoutMs = 3_600_000;
const reportEveryMs = 100;

export interface PersonsCommand {
  /** The exit code; undefined if the command could not be started, or a signal, the time limit or the person ended it. */
  readonly exitCode: number | undefined;
  /**
   * The output, or its beginning and its end with a line that says where the whole is; and a last line with the reason if
   * the command was ended or could not be started.
   */
  readonly output: string;
}

interface TypedParts extends KeepingParts {
  readonly workspace: Workspace;
  readonly programs: Programs;
  readonly outputs: OutputFolder;
  resultLimit(): number;
}

/**
 * Runs the command, and calls `report` with the last line of output from time to time. Undo covers its changes in the session. Never
 * rejects.
 */
export async function runPersonsCommand(
  resources: TypedParts,
  typed: TypedCommand,
  signal: AbortSignal,
  report: (text: string) => void,
): Promise<PersonsCommand> {
  return await keepAroundTyped(resources, typed, () => runTyped(resources, typed.command, signal, report));
}

async function runTyped(
  resources: TypedParts,
  command: string,
  signal: AbortSignal,
  report: (text: string) => void,
): Promise<PersonsCommand> {
  const shell = shellArguments(command);
  const capture = createOutputCapture(resources.resultLimit(), resources.outputs);
  let reported = Number.NEGATIVE_INFINITY;
  const { end } = await resources.programs.run({
    program: shell.program,
    args: shell.args,
    cwd: resources.workspace.root,
    reach: "whole",
    environment: { PWD: resources.workspace.root },
    timeoutMs,
    signal,
    onOutput: (chunk) => {
      capture.push(chunk);
      if (performance.now() - reported < reportEveryMs) return;
      reported = performance.now();
      report(capture.lastLine());
    },
  });
  const output = describeOutput(capture.finish(), "");
  switch (end.kind) {
    case "exited":
      return { exitCode: end.code, output };
    case "killed":
      return { exitCode: undefined, output: `${output}[ended by ${end.signal}]\n` };
    case "timeout":
      return { exitCode: undefined, output: `${output}[ended after an hour]\n` };
    case "cancelled":
      return { exitCode: undefined, output: `${output}[you ended it]\n` };
    case "not-started":
      return { exitCode: undefined, output: `[it could not be started: ${end.code}]\n` };
  }
}

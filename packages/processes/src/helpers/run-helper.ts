/** Runs a program that the person has configured or allowed, with a text as its input, for a short time. */
import { reasonOf } from "@localharness/protocol";
import { gitEnvironment } from "@localharness/workspace/git-files/command-environment";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { chosenProgram } from "../children/outside-programs.ts";
import type { ProgramEnd, Programs } from "../children/programs.ts";
import { release } from "../sandbox/release.ts";
import type { Sandbox, SandboxedCommand } from "../sandbox/sandbox.ts";

export interface HelperRequest {
  /** An absolute path, or a name that is searched outside the workspace. */
  readonly program: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** True to run the program in the sandbox. If there is no sandbox, the program does not run. */
  readonly confined?: boolean;
}

export interface HelperEnd {
  readonly end: ProgramEnd;
  readonly durationMs: number;
  /** The beginning of standard output; `errors` is the beginning of standard error. */
  readonly output: string;
  readonly errors: string;
}

/** The maximum number of bytes of each output; further bytes are dropped. */
const maxBytes = 64 * 1024;

interface HelperParts {
  readonly programs: Programs;
  readonly workspace: Workspace;
  readonly sandbox: Sandbox;
}

/**
 * Runs the program until it ends, its time limit, or an abort. If its sandbox cannot be released, `errors` ends with the reason. Never
 * rejects.
 */
export async function runHelper(resources: HelperParts, request: HelperRequest): Promise<HelperEnd> {
  const { programs, workspace } = resources;
  const output = beginning();
  const errors = beginning();
  const confined = request.confined === true ? await inSandbox(resources, request) : undefined;
  if (typeof confined === "string") {
    return { end: { kind: "not-started", code: confined }, durationMs: 0, output: "", errors: "" };
  }
  const git = confined && gitEnvironment(workspace.root, workspace.root, false, confined.gitSettings);
  const { end, durationMs } = await programs.run({
    ...request,
    ...(confined === undefined ? {} : { program: confined.program, args: confined.args }),
    cwd: workspace.processBase,
    environment: { PWD: workspace.root, ...git, ...confined?.environment },
    ...(confined === undefined ? {} : { reach: "sandbox" as const }),
    onOutput: output.push,
    onErrorOutput: errors.push,
  });
  const unreleased = confined && release(confined);
  const said = [errors.text(), ...(unreleased === undefined ? [] : [unreleased])];
  return { end, durationMs, output: output.text(), errors: said.filter((text) => text !== "").join("\n") };
}

/** A script that runs its arguments as a program, because the sandbox wraps only calls of a shell. */
const runWords = 'exec "$0" "$@"';

/** Returns the program in the sandbox, or the reason why it cannot start. */
async function inSandbox(
  { programs, sandbox }: HelperParts,
  { program, args, signal }: HelperRequest,
): Promise<SandboxedCommand | string> {
  if (sandbox.state.kind !== "on") return "there is no sandbox";
  const found = chosenProgram(program, programs.outside);
  if (found === undefined) return "ENOENT";
  try {
    return await sandbox.wrap({ program: "/bin/sh", args: ["-c", runWords, found, ...args] }, signal);
  } catch (error) {
    return `the sandbox could not be set up: ${reasonOf(error)}`;
  }
}

function beginning() {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    push: (chunk: Buffer) => {
      const kept = chunk.subarray(0, Math.max(0, maxBytes - size));
      if (kept.length > 0) {
        chunks.push(Buffer.from(kept));
      }
      size += kept.length;
    },
    text: () => Buffer.concat(chunks).toString("utf8"),
  };
}

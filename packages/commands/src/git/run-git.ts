/** Runs git so that it starts no program that the repository configures, asks no question and waits for no input. */
import { dirname } from "node:path";
import type { ToolContext } from "@localharness/engine";
import { createOutputCapture } from "@localharness/processes/children/capture-output";
import { wholeLine } from "@localharness/processes/children/describe-output";
import type { OutputFolder } from "@localharness/processes/children/output-folder";
import type { ProgramEnd, Programs } from "@localharness/processes/children/programs";
import { repositoryProblem } from "@localharness/workspace/git-files/repository";
import {
  asVariables,
  listSettings,
  repositoryPrograms,
} from "@localharness/workspace/git-files/repository-programs";
import { found, type Outcome, refused } from "@localharness/workspace/outcome";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { printableName } from "@localharness/workspace/show";

const timeoutMs = 60_000;

const hardened = [
  "--no-pager",
  "--no-optional-locks",
  ...[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.editor=true",
    "core.quotePath=false",
    "core.askPass=true",
    "credential.helper=",
    "diff.external=",
    "safe.bareRepository=explicit",
    "gc.auto=0",
    "maintenance.auto=false",
    "color.ui=false",
    "log.showSignature=false",
  ].flatMap((setting) => ["-c", setting]),
];

const environment: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_ASKPASS: "true",
  SSH_ASKPASS: "true",
  LC_ALL: "C.UTF-8",
};

export interface GitParts {
  readonly workspace: Workspace;
  readonly programs: Programs;
  readonly outputs: OutputFolder;
  resultLimit(): number;
}

export interface GitAnswer {
  readonly code: number;
  /** Both output streams as git wrote them, cut in the middle when long. */
  readonly text: string;
}

/** The maximum number of bytes of a list that must be complete. A longer list is refused. */
const maxListBytes = 32 * 1024 * 1024;

export interface GitOptions {
  readonly writes?: boolean;
  /** True if the arguments contain pathspecs with magic such as `:(exclude)`. Otherwise all pathspecs are literal. */
  readonly magicPathspecs?: boolean;
}

/**
 * Returns git's output. Fails if the workspace is not a repository, git is missing, or the command failed. With `writes`, it
 * also fails if the repository configures filter programs, because a commit without them would differ.
 */
export async function runGit(
  resources: GitParts,
  context: ToolContext,
  args: readonly string[],
  options: GitOptions = {},
): Promise<Outcome<string>> {
  const problem = repositoryProblem(resources.workspace);
  if (problem !== undefined) return problem;
  const replaced = await settingsFor(resources, context, options);
  if (!replaced.ok) return replaced;
  const asked = options.magicPathspecs === true ? args : ["--literal-pathspecs", ...args];
  const answer = await startGit(resources, context, asked, asVariables(replaced.value));
  if (!answer.ok) return answer;
  return answer.value.code === 0 ? found(answer.value.text) : refused("io_error", explained(answer.value));
}

/** Returns the settings that replace settings of the repository. */
async function settingsFor(
  resources: GitParts,
  context: ToolContext,
  options: GitOptions,
): Promise<Outcome<readonly (readonly [string, string])[]>> {
  const listed = await listGit(resources, context, listSettings, []);
  if (!listed.ok) return listed;
  const programs = repositoryPrograms(listed.value, resources.workspace.root);
  if (programs.kind === "unreadable") {
    return refused(
      "permission_denied",
      `The repository's own configuration names programs in a key that is not valid UTF-8 (${printableName(programs.key)}); the git tools do not start git there. Use git with bash, for which the person is asked.`,
    );
  }
  const filter = programs.settings.find(([key]) => key.startsWith("filter."))?.[0];
  return options.writes === true && filter !== undefined
    ? refused(
        "permission_denied",
        `The repository's own configuration names programs to run (${printableName(filter)}); this tool does not start them. Commit with bash, for which the person is asked.`,
      )
    : found(programs.settings);
}

/** Returns the bytes of a list that must be complete; `runGit` returns readable text and cuts it when it is long. */
async function listGit(
  resources: GitParts,
  context: ToolContext,
  args: readonly string[],
  settings: readonly (readonly [string, string])[],
): Promise<Outcome<Buffer>> {
  const chunks: Buffer[] = [];
  let length = 0;
  const errors = createOutputCapture(resources.resultLimit(), resources.outputs);
  const { end } = await resources.programs.run({
    ...request(resources, context, args, asVariables(settings)),
    onOutput: (chunk) => {
      length += chunk.length;
      if (length <= maxListBytes) {
        chunks.push(chunk);
      }
    },
    onErrorOutput: errors.push,
  });
  const { text } = errors.finish();
  const code = exitCode(end, text);
  if (!code.ok) return code;
  if (code.value !== 0) return refused("io_error", explained({ code: code.value, text }));
  return length > maxListBytes
    ? refused("io_error", "git lists more than this tool reads. Give a path, or use git with bash.")
    : found(Buffer.concat(chunks));
}

/**
 * Returns the NUL-terminated items that git lists, with one character per byte (`asText`). Fails like `runGit`, and if the
 * list has more than 32 MB.
 */
export async function listWithGit(
  resources: GitParts,
  context: ToolContext,
  args: readonly string[],
): Promise<Outcome<readonly string[]>> {
  const problem = repositoryProblem(resources.workspace);
  if (problem !== undefined) return problem;
  const replaced = await settingsFor(resources, context, {});
  const listed = replaced.ok ? await listGit(resources, context, args, replaced.value) : replaced;
  return listed.ok
    ? found(
        listed.value
          .toString("latin1")
          .split("\0")
          .filter((one) => one !== ""),
      )
    : listed;
}

function request(
  { workspace }: GitParts,
  context: ToolContext,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
) {
  const { root, processBase } = workspace;
  return {
    program: "git",
    args: [...hardened, ...args],
    cwd: processBase,
    environment: { ...environment, ...settings, GIT_CEILING_DIRECTORIES: dirname(root), GIT_WORK_TREE: root },
    timeoutMs,
    signal: context.signal,
    // With these settings git starts no other program, except for maintenance after a commit.
    alone: !args.includes("commit"),
  };
}

async function startGit(
  resources: GitParts,
  context: ToolContext,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Outcome<GitAnswer>> {
  const capture = createOutputCapture(resources.resultLimit(), resources.outputs, { keepsNul: true });
  const { end } = await resources.programs.run({
    ...request(resources, context, args, settings),
    onOutput: capture.push,
  });
  const output = capture.finish();
  const line = wholeLine(output, ": read_file reads it");
  const whole = line === undefined ? output.text : `${output.text}\n${line}`;
  const code = exitCode(end, whole);
  return code.ok ? found({ code: code.value, text: whole }) : code;
}

function exitCode(end: ProgramEnd, output: string): Outcome<number> {
  switch (end.kind) {
    case "exited":
      return found(end.code);
    case "timeout":
      return refused(
        "timeout",
        `git took longer than ${timeoutMs / 1000} s and was ended. Try a smaller part, or git with bash.`,
        output,
      );
    case "cancelled":
      return refused("cancelled", "git was ended because of an interrupt.", output);
    case "killed":
      return refused("io_error", `git was ended by ${end.signal}.`, output);
    case "not-started":
      return refused("io_error", `git could not be started (${end.code}). Ask the person to install git.`);
  }
}

const explanations: readonly (readonly [RegExp, string])[] = [
  [
    /Please tell me who you are|unable to auto-detect email|empty ident name|Author identity unknown/,
    'git does not know who commits. Ask the person to run: git config user.name "..." and git config user.email "...".',
  ],
  [
    /index\.lock/,
    "another git process is running, or one has crashed and left .git/index.lock behind. Wait, or ask the person to remove it.",
  ],
  [
    /dubious ownership/,
    "the repository belongs to another user of the computer. Ask the person to add it to safe.directory.",
  ],
  [/not a git repository|cannot use bare repository/, "the workspace is not a usable git repository."],
  [
    /unmerged|merge conflict|conflict/i,
    "there are merge conflicts. Resolve them first; git_status shows the files.",
  ],
  [/does not have any commits yet|bad default revision|unknown revision/, "there is no commit yet."],
];

function explained(answer: GitAnswer): string {
  const known = explanations.find(([pattern]) => pattern.test(answer.text))?.[1];
  const said = answer.text.trim().slice(0, 1500);
  return known === undefined
    ? `git failed with exit code ${answer.code}: ${said}`
    : `git failed: ${known} It said: ${said}`;
}

/** Runs git so that it starts no program that the repository names, asks nobody and waits for nothing. */
import { dirname } from "node:path";
import type { ToolContext } from "@localharness/engine";
import { found, type Outcome, refused } from "../outcome.ts";
import { createOutputCapture } from "../processes/capture-output.ts";
import type { ToolResources } from "../resources.ts";
import { repositoryProblem } from "./repository.ts";
import { listPrograms, replacedPrograms, repositoryPrograms } from "./repository-programs.ts";

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

export interface GitAnswer {
  readonly code: number;
  /** Both output streams as git wrote them, cut in the middle when long. */
  readonly text: string;
}

/** Bytes of a list that must be complete: an answer that is longer is cut, and then not taken. */
export const longestList = 4 * 1024 * 1024;

export interface GitOptions {
  readonly writes?: boolean;
  /** The pathspecs among the arguments are our own and say themselves how they are meant. */
  readonly magicPathspecs?: boolean;
  /** Bytes of the answer, the usual limit of a result when absent. */
  readonly limit?: number;
}

/**
 * Fails when the workspace is not a repository, git is missing, or it could not do what was asked. With `writes` also
 * when the repository itself names programs that files pass on their way into it: without them, a commit would differ.
 */
export async function runGit(
  resources: ToolResources,
  context: ToolContext,
  args: readonly string[],
  options: GitOptions = {},
): Promise<Outcome<string>> {
  const problem = await repositoryProblem(resources.workspace);
  if (problem !== undefined) {
    return problem;
  }
  const listed = await startGit(resources, context, listPrograms, {}, longestList);
  if (!listed.ok) {
    return listed;
  }
  const keys = listed.value.code === 0 ? repositoryPrograms(listed.value.text) : [];
  const filter = keys.find((key) => /^filter\./i.test(key));
  if (options.writes === true && filter !== undefined) {
    return refused(
      "permission_denied",
      `The repository's own configuration names programs to run (${filter}); this tool does not start them. Commit with bash, for which the person is asked.`,
    );
  }
  const asked = options.magicPathspecs === true ? args : ["--literal-pathspecs", ...args];
  const answer = await startGit(resources, context, asked, replacedPrograms(keys), options.limit);
  if (!answer.ok) {
    return answer;
  }
  return answer.value.code === 0 ? found(answer.value.text) : refused("io_error", explained(answer.value));
}

async function startGit(
  resources: ToolResources,
  context: ToolContext,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  limit = resources.resultLimit,
): Promise<Outcome<GitAnswer>> {
  const capture = createOutputCapture(limit, resources.outputs, { keepsNul: true });
  const { root, processBase } = resources.workspace;
  const { end } = await resources.programs.run({
    program: "git",
    args: [...hardened, ...args],
    cwd: processBase,
    environment: { ...environment, ...settings, GIT_CEILING_DIRECTORIES: dirname(root), GIT_WORK_TREE: root },
    timeoutMs,
    signal: context.signal,
    // Hardened, it starts nothing but itself, except to tidy up after a commit.
    alone: !args.includes("commit"),
    onOutput: capture.push,
  });
  const { text, path, totalBytes } = capture.finish();
  const whole =
    path === undefined
      ? text
      : `${text}\n[${totalBytes} bytes; the whole output is in ${path}: read_file reads it]`;
  switch (end.kind) {
    case "exited":
      return found({ code: end.code, text: whole });
    case "timeout":
      return refused(
        "timeout",
        `git took longer than ${timeoutMs / 1000} s and was ended. Try a smaller part, or git with bash.`,
        whole,
      );
    case "cancelled":
      return refused("cancelled", "git was ended because the person interrupted.", whole);
    case "killed":
      return refused("io_error", `git was ended by ${end.signal}.`, whole);
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

/** Runs git so that it starts no program that the repository names, asks nobody and waits for nothing. */
import { dirname } from "node:path";
import type { ToolContext } from "@localharness/engine";
import { found, type Outcome, refused } from "../outcome.ts";
import { createOutputCapture } from "../processes/capture-output.ts";
import type { ToolResources } from "../resources.ts";
import { repositoryProblem } from "./repository.ts";

const timeoutMs = 60_000;

const hardened = [
  "--no-pager",
  "--no-optional-locks",
  "--literal-pathspecs",
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
  GIT_ASKPASS: "true",
  SSH_ASKPASS: "true",
  LC_ALL: "C.UTF-8",
};

export interface GitAnswer {
  readonly code: number;
  /** Both output streams as git wrote them, cut in the middle when long. */
  readonly text: string;
}

/** Fails when the workspace is not a repository, git is missing, or it could not do what was asked. */
export async function runGit(
  resources: ToolResources,
  context: ToolContext,
  args: readonly string[],
): Promise<Outcome<string>> {
  const problem = repositoryProblem(resources.workspace.root);
  if (problem !== undefined) {
    return problem;
  }
  const programs = await repositoryPrograms(resources, context);
  if (!programs.ok) {
    return programs;
  }
  const answer = await startGit(resources, context, [...programs.value, ...args]);
  if (!answer.ok) {
    return answer;
  }
  return answer.value.code === 0 ? found(answer.value.text) : refused("io_error", explained(answer.value));
}

/**
 * Settings that take the place of every program which the repository's own configuration names for filters, diffs,
 * merges and signatures. What the person's own configuration names stays.
 */
async function repositoryPrograms(
  resources: ToolResources,
  context: ToolContext,
): Promise<Outcome<readonly string[]>> {
  const names =
    "^(filter\\..*\\.(clean|smudge|process|required)|diff\\..*\\.(command|textconv)|merge\\..*\\.driver|gpg\\.(.*\\.)?program|core\\.(sshcommand|gitproxy|alternaterefscommand|worktree))$";
  const listed = await startGit(resources, context, [
    "config",
    "--local",
    "--includes",
    "--null",
    "--name-only",
    "--get-regexp",
    names,
  ]);
  if (!listed.ok || listed.value.code !== 0) {
    return listed.ok ? found([]) : listed;
  }
  const keys = new Set(listed.value.text.split("\0").filter((key) => key.includes(".")));
  return found([...keys].flatMap((key) => ["-c", `${key}=${harmlessValue(key)}`]));
}

function harmlessValue(key: string): string {
  const name = key.toLowerCase();
  if (name.startsWith("gpg.")) {
    return name.includes("ssh") ? "ssh-keygen" : name.includes("x509") ? "gpgsm" : "gpg";
  }
  return name.endsWith(".required") ? "false" : name === "core.worktree" ? "." : "";
}

async function startGit(
  resources: ToolResources,
  context: ToolContext,
  args: readonly string[],
): Promise<Outcome<GitAnswer>> {
  const capture = createOutputCapture(resources.resultLimit, resources.outputs, { keepsNul: true });
  const { root, processBase } = resources.workspace;
  const { end } = await resources.programs.run({
    program: "git",
    args: [...hardened, ...args],
    cwd: processBase,
    environment: { ...environment, GIT_CEILING_DIRECTORIES: dirname(root), GIT_WORK_TREE: root },
    timeoutMs,
    signal: context.signal,
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

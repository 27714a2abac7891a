/** `localharness demo`: runs a whole turn in a copy of a sample workspace. It needs no model and no server. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PersonsAnswer } from "@localharness/engine";
import { usageError } from "@localharness/engine";
import { compose } from "@localharness/harness/compose";
import { configFolder } from "@localharness/harness/config/location";
import type { Settings } from "@localharness/harness/config/settings";
import { tourPrompt } from "@localharness/models";
import { createPrograms } from "@localharness/processes/children/create-programs";
import type { Programs } from "@localharness/processes/children/programs";
import type { PermissionAnswer, PermissionRequest } from "@localharness/protocol";
import { type Invocation, textFlag } from "../arguments/parse.ts";
import { personFor, statedAnswer } from "../modes/person.ts";
import { runAs } from "../modes/run-as.ts";
import { outputOf } from "../modes/unattended.ts";
import { createTextOutput, type TextOutput } from "../terminal/output.ts";
import { permissionText } from "../terminal/permission-text.ts";

/** The answer to permission requests if nobody can be asked. */
const defaultAnswer: PermissionAnswer = "once";

export async function runDemo(invocation: Invocation): Promise<number> {
  const { flags, positionals } = invocation;
  if (positionals.length > 0) throw usageError("usage: localharness demo [--model demo:FORMAT]");
  const workspace = await copySample();
  try {
    return await tour(invocation, workspace);
  } finally {
    if (flags.keep === true) tell(`The sample workspace is kept: ${workspace}`);
    else await rm(workspace, { recursive: true, force: true });
  }
}

async function tour(invocation: Invocation, workspace: string): Promise<number> {
  const { flags } = invocation;
  const model = textFlag(flags, "model") ?? "demo";
  const settings: Settings = {
    values: { model, tools: "all", sessions: "none" },
    origins: {},
    folder: configFolder(),
  };
  const composition = await compose(settings, workspace);
  try {
    const notes = createTextOutput(process.stderr);
    const stated = statedAnswer(flags);
    const person = personFor(stated, notes);
    if (person === undefined) {
      tell(`No terminal to ask at: every permission request is answered "${defaultAnswer}".`);
    }
    tell(`Workspace: ${workspace}, a copy of a sample. Model: ${model}.`);
    tell(`> ${tourPrompt}\n`);
    const shot = {
      session: composition.newSession("everything", "full"),
      message: tourPrompt,
      ask: person ?? ((request) => showAndAnswer(request, notes)),
      endChildren: composition.endChildren,
    };
    return await runAs(outputOf(flags), shot);
  } finally {
    await composition.close();
  }
}

/** Prints a question together with its default answer, so that the output is complete without a terminal too. */
async function showAndAnswer(request: PermissionRequest, notes: TextOutput): Promise<PersonsAnswer> {
  notes.raw(`\n${permissionText(request)}> ${defaultAnswer}\n`);
  return { answer: defaultAnswer };
}

/**
 * Copies the sample into a temporary folder and returns its path. The folder is a Git repository with one commit if Git
 * is installed.
 */
async function copySample(): Promise<string> {
  const workspace = await mkdtemp(join(tmpdir(), "localharness-demo-"));
  await cp(fileURLToPath(new URL("../demo-workspace", import.meta.url)), workspace, { recursive: true });
  const { PATH, HOME } = process.env;
  const folders = [process.cwd(), workspace];
  const programs = createPrograms({ environment: { PATH, HOME }, pass: [], folders: () => folders });
  for (const args of [
    ["init", "--quiet"],
    ["add", "--all"],
    [...author, "commit", "--quiet", "-m", "Sample"],
  ]) {
    if (!(await git(programs, workspace, args))) break;
  }
  programs.close();
  return workspace;
}

const author = [
  "-c",
  "user.name=Local Harness",
  "-c",
  "user.email=demo@localhost",
  "-c",
  "commit.gpgsign=false",
];

const gitTimeoutMs = 30_000;

/** Runs git. Returns false if git is missing or fails; the demo also works without git. */
async function git(programs: Programs, cwd: string, args: readonly string[]): Promise<boolean> {
  const safe = ["-c", "core.hooksPath=/dev/null", "-c", "init.defaultBranch=main", "-c", "init.templateDir="];
  const { end } = await programs.run({
    program: "git",
    args: [...safe, ...args],
    cwd,
    environment: { GIT_CONFIG_NOSYSTEM: "1" },
    timeoutMs: gitTimeoutMs,
    signal: new AbortController().signal,
    onOutput: () => undefined,
  });
  return end.kind === "exited" && end.code === 0;
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

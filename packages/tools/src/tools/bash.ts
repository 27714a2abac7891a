/**
 * `bash`: runs a command. A command that ran is a success with any exit code, which the result contains. An error means
 * that the command was not started, was refused, reached its time limit or was cancelled.
 */
import { constants } from "node:os";
import { resolve } from "node:path";
import { serversOfJob } from "@localharness/commands/confined/network-note";
import { sandboxNotes } from "@localharness/commands/confined/sandbox-notes";
import { callsOf, type StartedCommand, startCommand } from "@localharness/commands/confined/start-command";
import type { ExaminingParts } from "@localharness/commands/examine/examine-shell";
import { examineShell } from "@localharness/commands/examine/examine-shell";
import { type KeptBefore, keepBefore } from "@localharness/commands/keeping/around-command";
import type { Hiding } from "@localharness/commands/secrets/hide-values";
import type { Secrets } from "@localharness/commands/secrets/secrets";
import { hiddenNotes } from "@localharness/commands/secrets/secrets";
import { achievementsOf } from "@localharness/commands/shell/achievements";
import { riskOfProgram } from "@localharness/commands/shell/programs/table";
import { refuseDisaster } from "@localharness/commands/shell/refuse-disaster";
import type { OutputSummarizer } from "@localharness/engine";
import {
  type CallFacts,
  defineTool,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "@localharness/engine";
import {
  type CapturedOutput,
  createOutputCapture,
  type OutputCapture,
} from "@localharness/processes/children/capture-output";
import { describeOutput } from "@localharness/processes/children/describe-output";
import { type Jobs, maxJobs, type Unreleased } from "@localharness/processes/children/jobs";
import type { ProgramRequest, ProgramResult } from "@localharness/processes/children/programs";
import { withSummary } from "@localharness/processes/children/summarize-output";
import { hostQuestions } from "@localharness/processes/sandbox/host-questions";
import type { JobPorts } from "@localharness/processes/sandbox/job-ports";
import { offerServers } from "@localharness/processes/sandbox/offer-servers";
import { release } from "@localharness/processes/sandbox/release";
import { type Achievement, countText, defined, type JsonObject } from "@localharness/protocol";
import { gitEnvironment } from "@localharness/workspace/git-files/command-environment";
import { type Failure, type Outcome, refused } from "@localharness/workspace/outcome";
import type { Directory } from "@localharness/workspace/paths/handles";
import { flagArgument, folderArgument, numberArgument, textArgument } from "../parts/arguments.ts";

interface Parts extends ExaminingParts {
  readonly secrets: Secrets;
  readonly commandRisk: "high" | "medium";
  readonly summarizer?: OutputSummarizer;
  readonly jobs: Jobs;
  readonly ports: JobPorts;
}

const defaultSeconds = 120;
const maxSeconds = 600;
/** The additional milliseconds that the engine waits after the command's time limit, while the process tree is ended. */
const endingMs = 5000;
const reportEveryMs = 250;
/** The time for which a new job is watched for a port that it listens on, in milliseconds. */
const serverWaitMs = 1200;
/** The maximum length of a command, because Linux limits a single argument to 128 KiB. */
const maxCommandChars = 30_000;

export function bash(resources: Parts): Tool {
  return defineTool({
    name: "bash",
    description: "Run a shell command.",
    parameters: {
      type: "object",
      properties: {
        command: { type: "string" },
        timeout: { type: "number", description: "seconds" },
        timeout_ms: { type: "number" },
        cwd: { type: "string", format: "path" },
        background: { type: "boolean" },
      },
      required: ["command"],
    },
    aliases: [
      "run_cmd",
      "shell",
      "run_shell_command",
      "execute_command",
      "execute",
      "run_command",
      "run_commands",
      "shell_command",
      "run_terminal_cmd",
      "terminal",
      "exec",
      "sh",
      "cmd",
    ],
    parameterAliases: {
      command: ["cmd", "script", "commands", "code", "shell_command"],
      timeout: ["timeout_seconds", "timeout_secs", "time_limit"],
      timeout_ms: ["timeout_milliseconds"],
      background: ["run_in_background", "is_background", "detach"],
      cwd: ["workdir", "working_directory", "working_dir", "dir", "directory", "folder"],
    },
    risk: resources.commandRisk,
    readOnly: false,
    timeoutMs: (args) => timeoutOf(args) + endingMs,
    grantScope: (args) => textArgument(args, "command") ?? "",
    examine: (args, signal) => examine(resources, args, signal),
    riskOfProgram,
    foresee: async (args) => timeoutProblem(args),
    execute: (args, context) => runCommand(resources, args, context),
  });
}

async function examine(resources: Parts, args: JsonObject, signal: AbortSignal): Promise<CallFacts> {
  const text = textArgument(args, "command") ?? "";
  const background = flagArgument(args, "background");
  const problem = await commandProblem(resources, text);
  const folder = folderOf(resources, args);
  if (problem !== undefined || !folder.ok) {
    const reason = problem?.message ?? (folder.ok ? "" : folder.message);
    return { concerns: [{ id: "command", decision: "deny", reason }], rememberable: false };
  }
  folder.value[Symbol.dispose]();
  return await examineShell(resources, { text, folder: folder.value.path, background }, signal);
}

function folderOf(resources: Parts, args: JsonObject): Outcome<Directory> {
  return resources.workspace.openDirectory(folderArgument(args, "cwd"));
}

async function runCommand(resources: Parts, args: JsonObject, context: ToolContext): Promise<ToolOutput> {
  const command = textArgument(args, "command") ?? "";
  const problem = (await commandProblem(resources, command)) ?? timeoutProblem(args);
  if (problem !== undefined) return problem;
  const folder = folderOf(resources, args);
  if (!folder.ok) return folder;
  const background = flagArgument(args, "background");
  const kept = await keepBefore(resources, context);
  if (!kept.ok) {
    folder.value[Symbol.dispose]();
    return kept;
  }
  using changes = kept;
  const readsOnly = context.examined?.readOnly === true;
  const questions =
    background || readsOnly ? undefined : hostQuestions(command, resources.commandRisk, context);
  const { found } = (await resources.openReader()).read(command);
  const starting = { command, background, found, ...defined({ questions }) };
  const started = await startCommand(resources, starting, context);
  if (!("program" in started)) {
    folder.value[Symbol.dispose]();
    return started;
  }
  noteWrites(resources, context.examined);
  const hiding = await resources.secrets.hidingFor(context);
  const run: Run = { started, directory: folder.value, readsOnly, ...defined({ hiding }) };
  if (background) return await startJob(resources, command, args, { ...run, kept: changes }, context);
  const capture = createOutputCapture(resources.resultLimit(), resources.outputs);
  const progress = createProgress(context, capture);
  const result = await runStarted(resources, run, {
    timeoutMs: timeoutOf(args),
    ...defined({ clock: questions?.clock }),
    signal: context.signal,
    onOutput: (chunk) => {
      capture.push(chunk);
      progress();
    },
  });
  await questions?.end();
  const output = await withSummary(resources, command, capture.finish(), context);
  const request = {
    command,
    calls: callsOf(context.examined),
    output: output.text,
    succeeded: succeeded(result),
    ...defined({ offer: context.offer, hosts: questions?.outcome() }),
  };
  const achieved = request.succeeded ? achievementsOf((await resources.openReader()).read(command)) : [];
  const notes = [
    ...(result.unreleased === undefined ? [] : [result.unreleased]),
    ...(await changes.record()),
    ...sandboxNotes(resources, started, request),
    ...hiddenNotes(output.text),
  ];
  return outputOf(args, result, output, { achieved, notes });
}

/** Notes the files that a command is known to write. */
function noteWrites({ writes }: Parts, examined: CallFacts | undefined): void {
  for (const { path, access } of examined?.paths ?? []) if (access === "write") writes.note(path);
}

/** A command that is ready to start. */
interface Run {
  readonly started: StartedCommand;
  readonly directory: Directory;
  readonly readsOnly: boolean;
  /** Absent if no value is hidden in the output. */
  readonly hiding?: Hiding;
}

/** Runs the command to its end, then releases its folder and its sandbox. `unreleased` is set if the latter fails. */
async function runStarted(
  { programs, workspace, sandbox }: Parts,
  { started, directory, readsOnly, hiding }: Run,
  request: Pick<ProgramRequest, "timeoutMs" | "clock" | "signal" | "onOutput">,
): Promise<ProgramResult & Unreleased> {
  using held = directory;
  const output = hiding?.stream(request.onOutput);
  const errors = hiding?.stream(request.onOutput);
  const path = resolve(workspace.root, held.path);
  const result = await programs.run({
    program: started.program,
    args: started.args,
    cwd: processFolder(held),
    reach: sandbox.state.kind === "on" ? "sandbox" : "whole",
    environment: {
      PWD: path,
      ...gitEnvironment(path, workspace.placeOf(held.path).root, readsOnly, started.gitSettings),
      ...started.environment,
    },
    ...request,
    ...defined({ onOutput: output?.push, onErrorOutput: errors?.push }),
  });
  const unreleased = release(started);
  output?.end();
  errors?.end();
  return { ...result, ...defined({ unreleased }) };
}

/** Starts the command as a job. The job has no time limit unless the call gives one, and ends with the session. */
async function startJob(
  resources: Parts,
  command: string,
  args: JsonObject,
  run: Run & { readonly kept: KeptBefore },
  context: ToolContext,
): Promise<ToolOutput> {
  const isLimited = args["timeout"] !== undefined || args["timeout_ms"] !== undefined;
  const timeoutMs = isLimited ? timeoutOf(args) : Number.POSITIVE_INFINITY;
  const { bridge } = run.started;
  const id = resources.jobs.start(command, (signal, onOutput) =>
    runStarted(resources, run, { timeoutMs, signal, onOutput }),
  );
  if (id !== undefined) {
    await run.kept.leave(id, resources.jobs.whenEnded(id));
    const began = `${id} runs in the background. You are told when it ends. It does not outlive this program.`;
    if (bridge === undefined) return { ok: true, data: began };
    resources.ports.add(id, bridge);
    void resources.jobs.whenEnded(id).then(() => resources.ports.ended(id));
    const servers = await offerServers(resources, id, context, serverWaitMs);
    const said = servers.length > 0 ? servers : [serversOfJob];
    return { ok: true, data: [began, ...said.map((one) => `${one}.`)].join(" ") };
  }
  run.directory[Symbol.dispose]();
  release(run.started);
  return refused(
    "validation_failed",
    `${maxJobs} jobs run already, which is the maximum. Wait until one has ended.`,
  );
}

/** Returns a path to the folder that is valid in another process too. */
function processFolder(directory: Directory): string {
  return directory.base.replace(/^\/proc\/self\//, `/proc/${process.pid}/`);
}

async function commandProblem(
  { openReader }: Pick<Parts, "openReader">,
  command: string,
): Promise<Failure | undefined> {
  if (command.trim() === "") {
    return refused("validation_failed", "command is empty: give the command to run.");
  }
  if (command.length > maxCommandChars) {
    return refused(
      "validation_failed",
      `command has ${countText(command.length, "character")}, at most ${maxCommandChars} are possible. Write long text to a file with write_file first.`,
    );
  }
  if (command.includes("\0")) {
    return refused("validation_failed", "command contains a NUL character. Send it without.");
  }
  const disaster = refuseDisaster(command, await openReader());
  return disaster === undefined
    ? undefined
    : refused(
        "permission_denied",
        `The command was refused: ${disaster}. It is never run from here. Do what you need in a smaller way, inside the workspace.`,
      );
}

function timeoutProblem(args: JsonObject): Failure | undefined {
  const asked = numberArgument(args, "timeout_ms") ?? numberArgument(args, "timeout");
  return asked !== undefined && asked <= 0
    ? refused(
        "validation_failed",
        `The time limit is ${asked}, a number of seconds from 1 to ${maxSeconds} was expected.`,
      )
    : undefined;
}

/** Returns the time limit in ms, at most ten minutes. A `timeout` from 1000 on is in ms, as some models send it. */
function timeoutOf(args: JsonObject): number {
  const asked = numberArgument(args, "timeout") ?? defaultSeconds;
  const milliseconds = numberArgument(args, "timeout_ms") ?? (asked >= 1000 ? asked : asked * 1000);
  return Math.min(Math.max(milliseconds, 1), maxSeconds * 1000);
}

function createProgress(context: ToolContext, capture: OutputCapture): () => void {
  let last = performance.now();
  return () => {
    const now = performance.now();
    if (now - last >= reportEveryMs) {
      last = now;
      context.report(capture.lastLine());
    }
  };
}

function succeeded({ end }: ProgramResult): boolean {
  return end.kind === "exited" && end.code === 0;
}

function outputOf(
  args: JsonObject,
  result: ProgramResult,
  output: CapturedOutput,
  more: { readonly achieved: readonly Achievement[]; readonly notes: readonly string[] },
): ToolOutput {
  const { end } = result;
  const { achieved } = more;
  const left = result.leftRunning === 0 ? [] : [leftRunningNote(result.leftRunning)];
  const notes = [...left, ...more.notes];
  const text = describeOutput(output);
  const failed = (...failure: Parameters<typeof refused>): ToolOutput => ({
    ...refused(...failure),
    ...(notes.length === 0 ? {} : { notes }),
  });
  switch (end.kind) {
    case "exited": {
      return {
        ok: true,
        data: `${text}exit code: ${end.code}${signalOf(end.code)}`,
        details: { exitCode: end.code },
        achieved,
        notes,
      };
    }
    case "killed":
      return { ok: true, data: `${text}killed by ${end.signal}`, details: { signal: end.signal }, notes };
    case "timeout":
      return failed(
        "timeout",
        `The command took longer than ${timeoutOf(args) / 1000} s and was ended with all that it had started. Give a longer timeout (at most ${maxSeconds} s) or do less at once. Start a program that keeps running with background: true.`,
        text.trimEnd(),
      );
    case "cancelled":
      return failed("cancelled", "The command was ended because the person interrupted.", text.trimEnd());
    case "not-started":
      return failed("io_error", notStarted(end.code));
  }
}

/**
 * Returns the name of the signal for an exit code of 128 plus the signal's number, which shells and the sandbox use; empty text
 * for any other code.
 */
function signalOf(code: number): string {
  const name = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return name === undefined ? "" : ` (${name})`;
}

function leftRunningNote(count: number): string {
  return `${countText(count, "background process", "background processes")} of the command still ran and ${count === 1 ? "was" : "were"} ended with it`;
}

function notStarted(code: string): string {
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: "the shell or the workspace folder does not exist any more",
    E2BIG: "the command is too long; put the text into a file with write_file first",
    EAGAIN: "the system has no room for another process; try again later",
    EACCES: "the system denies it",
    EMFILE: "too many files are open; try again",
  };
  return `The command could not be started (${code}): ${reasons[code] ?? "the system refuses"}.`;
}

/**
 * `bash`: runs a command. A command that ran is a success with any exit code, which the result contains. An error means
 * that the command was not started, was refused, reached its time limit or was cancelled.
 */
import { constants } from "node:os";
import { join } from "node:path";
import {
  type CallFacts,
  defineTool,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "@localharness/engine";
import { type Achievement, defined, type JsonObject, reasonOf } from "@localharness/protocol";
import { flagArgument, folderArgument, numberArgument, textArgument } from "../arguments.ts";
import { gitEnvironment } from "../git/command-environment.ts";
import { shownPaths } from "../git/shown-paths.ts";
import { storedPaths } from "../git/stored-paths.ts";
import { type Failure, type Outcome, refused } from "../outcome.ts";
import { type CapturedOutput, createOutputCapture, type OutputCapture } from "../processes/capture-output.ts";
import { describeOutput } from "../processes/describe-output.ts";
import { maxJobs, type Unreleased } from "../processes/jobs.ts";
import type { ProgramRequest, ProgramResult } from "../processes/programs.ts";
import { readsBash, shellArguments } from "../processes/shell-program.ts";
import { withSummary } from "../processes/summarize-output.ts";
import type { ToolResources } from "../resources.ts";
import { networkNote, networkOfCommand } from "../sandbox/network-note.ts";
import { closedRebase } from "../sandbox/rebases.ts";
import type { SandboxedCommand } from "../sandbox/sandbox.ts";
import { writeNotes } from "../sandbox/write-notes.ts";
import type { Hiding } from "../secrets/hide-values.ts";
import { hiddenNotes } from "../secrets/secrets.ts";
import { achievementsOf } from "../shell/achievements.ts";
import { examineThere } from "../shell/examine-there.ts";
import { loadGrammar } from "../shell/grammar.ts";
import { riskOfProgram } from "../shell/programs/table.ts";
import { refuseDisaster } from "../shell/refuse-disaster.ts";
import type { Directory } from "../workspace/handles.ts";

const defaultSeconds = 120;
const maxSeconds = 600;
/** The additional milliseconds that the engine waits after the command's time limit, while the process tree is ended. */
const endingMs = 5000;
const reportEveryMs = 250;
/** The maximum length of a command, because Linux limits a single argument to 128 KiB. */
const maxCommandChars = 30_000;

export function bash(resources: ToolResources): Tool {
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
    execute: (args, context) => runCommand(resources, args, context),
  });
}

async function examine(resources: ToolResources, args: JsonObject, signal: AbortSignal): Promise<CallFacts> {
  const text = textArgument(args, "command") ?? "";
  const problem = await commandProblem(text);
  const folder = folderOf(resources, args);
  if (problem !== undefined || !folder.ok) {
    const reason = problem?.message ?? (folder.ok ? "" : folder.message);
    return { concerns: [{ id: "command", decision: "deny", reason }], rememberable: false };
  }
  folder.value[Symbol.dispose]();
  const grammar = readsBash()
    ? await loadGrammar()
    : ({ ok: false, problem: "there is no bash here" } as const);
  const command = {
    text,
    folder: folder.value.path,
    searchPath: resources.programs.searchPath(),
    toolWrites: (except: readonly string[]) => resources.writes.mark(except),
    shownByGit: (words: readonly string[]) => shownPaths(resources, words, signal),
    storedByGit: (words: readonly string[], folders: readonly string[] | undefined) =>
      storedPaths(resources, { words, folders }, signal),
  };
  return await examineThere(resources.workspace, command, grammar);
}

function folderOf(resources: ToolResources, args: JsonObject): Outcome<Directory> {
  return resources.workspace.openDirectory(folderArgument(args, "cwd"));
}

async function runCommand(
  resources: ToolResources,
  args: JsonObject,
  context: ToolContext,
): Promise<ToolOutput> {
  const command = textArgument(args, "command") ?? "";
  const problem = (await commandProblem(command)) ?? timeoutProblem(args);
  if (problem !== undefined) return problem;
  const folder = folderOf(resources, args);
  if (!folder.ok) return folder;
  const started = await inSandbox(resources, command, context);
  if (!("program" in started)) {
    folder.value[Symbol.dispose]();
    return started;
  }
  noteWrites(resources, context.examined);
  const hiding = await resources.secrets.hidingFor(context);
  const run: Run = {
    started,
    directory: folder.value,
    readsOnly: context.examined?.readOnly === true,
    ...defined({ hiding }),
  };
  if (flagArgument(args, "background")) return startJob(resources, command, args, run);
  const capture = createOutputCapture(resources.resultLimit(), resources.outputs);
  const progress = createProgress(context, capture);
  const result = await runStarted(resources, run, {
    timeoutMs: timeoutOf(args),
    signal: context.signal,
    onOutput: (chunk) => {
      capture.push(chunk);
      progress();
    },
  });
  const achieved = succeeded(result) ? achievementsOf(command, await loadGrammar()) : [];
  const output = await withSummary(resources, command, capture.finish(), context);
  const network = networkNote(resources.sandbox, {
    calls: callsOf(context.examined),
    output: output.text,
    succeeded: succeeded(result),
  });
  const notes = [
    ...(result.unreleased === undefined ? [] : [result.unreleased]),
    ...(network === undefined ? [] : [network]),
    ...writeNotes(resources.workspace.root, started, output.text),
    ...hiddenNotes(output.text),
  ];
  return outputOf(args, result, output, { achieved, notes });
}

/** Returns all program calls of a command, also those that wrappers start or that could not be read with certainty. */
function callsOf(examined: CallFacts | undefined): readonly (readonly string[])[] {
  const { calls = [], hidden = [] } = examined?.command ?? {};
  return [...calls, ...hidden];
}

/** Notes the files that a command is known to write. */
function noteWrites({ writes }: ToolResources, examined: CallFacts | undefined): void {
  for (const { path, access } of examined?.paths ?? []) if (access === "write") writes.note(path);
}

/** A command that is ready to start. */
interface Run {
  readonly started: SandboxedCommand;
  readonly directory: Directory;
  readonly readsOnly: boolean;
  /** Absent if no value is hidden in the output. */
  readonly hiding?: Hiding;
}

/** Runs the command to its end, then releases its folder and its sandbox. `unreleased` is set if the latter fails. */
async function runStarted(
  { programs, workspace }: ToolResources,
  { started, directory, readsOnly, hiding }: Run,
  request: Pick<ProgramRequest, "timeoutMs" | "signal" | "onOutput">,
): Promise<ProgramResult & Unreleased> {
  using held = directory;
  const output = hiding?.stream(request.onOutput);
  const errors = hiding?.stream(request.onOutput);
  const path = join(workspace.root, held.path);
  const result = await programs.run({
    program: started.program,
    args: started.args,
    cwd: processFolder(held),
    environment: {
      PWD: path,
      ...gitEnvironment(path, workspace.root, readsOnly, started.gitSettings),
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

/** Releases the sandbox of a command. Returns a sentence with the reason if that fails; else undefined. */
function release(started: SandboxedCommand): string | undefined {
  try {
    started.done();
    return undefined;
  } catch (error) {
    return `its sandbox was not released: ${reasonOf(error)}`;
  }
}

/** Starts the command as a job. The job has no time limit unless the call gives one, and ends with the session. */
function startJob(resources: ToolResources, command: string, args: JsonObject, run: Run): ToolOutput {
  const isLimited = args["timeout"] !== undefined || args["timeout_ms"] !== undefined;
  const timeoutMs = isLimited ? timeoutOf(args) : Number.POSITIVE_INFINITY;
  const id = resources.jobs.start(command, (signal, onOutput) =>
    runStarted(resources, run, { timeoutMs, signal, onOutput }),
  );
  if (id !== undefined) {
    const network = resources.sandbox.state.kind === "on" ? ` Note: ${networkOfCommand}.` : "";
    return {
      ok: true,
      data: `${id} runs in the background. You are told when it ends. It does not outlive this program.${network}`,
    };
  }
  run.directory[Symbol.dispose]();
  release(run.started);
  return refused(
    "validation_failed",
    `${maxJobs} jobs run already, which is the maximum. Wait until one has ended.`,
  );
}

const unconfined = { environment: {}, gitSettings: {}, closed: [], byRules: [], held: [], done: () => {} };

/**
 * Returns the program to start, in the sandbox if it is on. Fails if the sandbox cannot be set up, or if the command
 * continues or ends a rebase that the sandbox closes.
 */
async function inSandbox(
  { sandbox }: ToolResources,
  command: string,
  context: ToolContext,
): Promise<SandboxedCommand | Failure> {
  const shell = shellArguments(command);
  if (sandbox.state.kind !== "on") return { ...shell, ...unconfined };
  try {
    const started = await sandbox.wrap(shell, context.signal, context.closedPlaces);
    const problem = closedRebase(command, started.closed);
    if (problem === undefined) return started;
    started.done();
    return refused("permission_denied", problem);
  } catch (error) {
    if (context.signal.aborted) return refused("cancelled", "The command was ended because of an interrupt.");
    return refused(
      "io_error",
      `The sandbox could not be set up, so nothing ran: ${reasonOf(error)}. The person can run without it: --sandbox off.`,
    );
  }
}

/** Returns a path to the folder that is valid in another process too. */
function processFolder(directory: Directory): string {
  return directory.base.replace(/^\/proc\/self\//, `/proc/${process.pid}/`);
}

async function commandProblem(command: string): Promise<Failure | undefined> {
  if (command.trim() === "") {
    return refused("validation_failed", "command is empty: give the command to run.");
  }
  if (command.length > maxCommandChars) {
    return refused(
      "validation_failed",
      `command has ${command.length} characters, at most ${maxCommandChars} are possible. Write long text to a file with write_file first.`,
    );
  }
  if (command.includes("\0")) {
    return refused("validation_failed", "command contains a NUL character. Send it without.");
  }
  const disaster = refuseDisaster(command, await loadGrammar());
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
      return refused(
        "timeout",
        `The command took longer than ${timeoutOf(args) / 1000} s and was ended with all that it had started. Give a longer timeout (at most ${maxSeconds} s) or do less at once. Start a program that keeps running with background: true.`,
        text.trimEnd(),
      );
    case "cancelled":
      return refused("cancelled", "The command was ended because the person interrupted.", text.trimEnd());
    case "not-started":
      return refused("io_error", notStarted(end.code));
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
  return `${count} background ${count === 1 ? "process" : "processes"} of the command still ran and ${count === 1 ? "was" : "were"} ended with it`;
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

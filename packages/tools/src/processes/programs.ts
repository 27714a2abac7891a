/**
 * Runs child processes with a filtered environment. Unless it gets the person's terminal, each has a separate session and a
 * time limit, gets only the input in the request, and the processes that it leaves running are ended.
 */
import type { ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { type ControlGroups, type GroupLimits, openControlGroups, type RunGroup } from "./control-group.ts";
import { childEnvironment } from "./environment.ts";
import { findProgram } from "./find-program.ts";
import { createLifeline, type Lifeline } from "./lifeline.ts";
import { endTree, markVariable, type TreeRoot, treeMembers } from "./process-tree.ts";
import { runInTerminal, type TerminalEnd, type TerminalRequest } from "./run-in-terminal.ts";
import { startChild } from "./start-child.ts";
import { type Closing, closingInherited, startCommand } from "./start-command.ts";
import { watchLimits } from "./watch-limits.ts";

export interface ProgramRequest {
  readonly program: string;
  readonly args: readonly string[];
  /** The folder in which the program runs, as the workspace returned it. */
  readonly cwd: string;
  /** Variables to add to the filtered environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The text for standard input. Without it and `onInput`, standard input is empty. */
  readonly input?: string;
  /** Called with standard input, which then stays open until the program ends. Do not pass it together with `input`. */
  readonly onInput?: (input: Writable) => void;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onOutput: (chunk: Buffer) => void;
  /** Receives the error output; by default `onOutput` does. */
  readonly onErrorOutput?: (chunk: Buffer) => void;
  /** True for a program that starts no others, so that no search for survivors is needed. */
  readonly alone?: boolean;
}

export type ProgramEnd =
  | { readonly kind: "exited"; readonly code: number }
  /** `signal` names the signal; if a limit of the harness ended the program, also that limit. */
  | { readonly kind: "killed"; readonly signal: string; readonly atLimit?: true }
  | { readonly kind: "timeout" }
  | { readonly kind: "cancelled" }
  | { readonly kind: "not-started"; readonly code: string };

export interface ProgramResult {
  readonly end: ProgramEnd;
  readonly durationMs: number;
  /** Number of processes that were still running when the program ended by itself; they were ended too. */
  readonly leftRunning: number;
}

export interface Programs {
  /** Runs a program. Never rejects. Resolves when the program and everything that it started has ended. */
  run(request: ProgramRequest): Promise<ProgramResult>;
  /** Runs a program that gets the person's terminal. Never rejects. */
  runInTerminal(request: TerminalRequest): Promise<TerminalEnd>;
  /** Ends all running programs within 2 s. The results of `run` are then `cancelled`. */
  endAll(): Promise<void>;
  /** Returns the `PATH` of the programs; empty if there is none. */
  searchPath(): string;
  /** Releases control groups and the watcher. Call it after `endAll`; repeated calls are harmless. */
  close(): void;
}

export interface ProgramsOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly pass: readonly string[];
  /** Values (keys of services) that must not be in a child's environment under any name. */
  readonly secrets?: readonly string[];
  /** The limits of each run; by default 2,000 processes and no memory limit. */
  readonly limits?: Partial<GroupLimits>;
  /** The real path of the folder whose programs must not replace programs of the system. */
  readonly workspace?: string;
}

/** The longest delay of a timer in milliseconds. */
const maxTimerMs = 2_147_483_647;
const drainMs = 500;

const defaultLimits: GroupLimits = { processes: 2000, memoryBytes: undefined };

export function createPrograms(options: ProgramsOptions): Programs {
  let ending = new AbortController();
  const running = new Set<Promise<unknown>>();
  const nextMark = () => {
    counter += 1;
    return `${prefix}-${counter}`;
  };
  function track<T>(result: Promise<T>): Promise<T> {
    running.add(result);
    return result.finally(() => running.delete(result));
  }
  const prefix = `${process.pid}-${Math.random().toString(36).slice(2)}`;
  let counter = 0;
  let environment: Record<string, string> | undefined;
  let containment: Containment | undefined;
  const inherited = () => {
    environment ??= childEnvironment(options.environment, options.pass, options.secrets);
    return environment;
  };
  return {
    searchPath: () => inherited()["PATH"] ?? "",
    run: (request) => {
      containment ??= openContainment(options, prefix);
      const mark = nextMark();
      const env = { ...inherited(), ...request.environment, [markVariable]: mark };
      const signal = AbortSignal.any([request.signal, ending.signal]);
      return track(runProgram({ ...request, signal }, env, mark, containment));
    },
    runInTerminal: (request) => {
      const signal = AbortSignal.any([request.signal, ending.signal]);
      return track(runInTerminal({ ...request, signal }, inherited(), nextMark()));
    },
    endAll: async () => {
      ending.abort();
      ending = new AbortController();
      await Promise.all(running);
    },
    close: () => {
      containment?.lifeline.close();
      containment?.groups?.close();
      containment = undefined;
    },
  };
}

/** The means of this system to track and limit processes, opened when the first program starts. */
interface Containment {
  readonly groups: ControlGroups | undefined;
  readonly lifeline: Lifeline;
  readonly closing: Closing;
  readonly limits: GroupLimits;
  readonly workspace: string | undefined;
}

function openContainment(options: ProgramsOptions, markPrefix: string): Containment {
  const groups = process.platform === "linux" ? openControlGroups() : undefined;
  const closing = closingInherited();
  return {
    groups,
    closing,
    lifeline: createLifeline({ markPrefix, controlGroup: groups?.path, closing }),
    limits: { ...defaultLimits, ...options.limits },
    workspace: options.workspace,
  };
}

async function runProgram(
  request: ProgramRequest,
  env: Record<string, string>,
  mark: string,
  containment: Containment,
): Promise<ProgramResult> {
  const started = performance.now();
  const since = () => Math.round(performance.now() - started);
  if (request.signal.aborted) return { end: { kind: "cancelled" }, durationMs: 0, leftRunning: 0 };
  const group = request.alone === true ? undefined : containment.groups?.create(containment.limits);
  const child = await start(request, env, group, containment);
  if (typeof child === "string") {
    group?.remove();
    return { end: { kind: "not-started", code: child }, durationMs: since(), leftRunning: 0 };
  }
  const root: TreeRoot = { pid: child.pid ?? 0, mark, group };
  containment.lifeline.add(root.pid);
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  child.stdout?.on("data", request.onOutput);
  child.stderr?.on("data", request.onErrorOutput ?? request.onOutput);
  const end = await firstEnd(child, request, root, containment.limits);
  const own = end.kind === "exited" || (end.kind === "killed" && end.atLimit !== true);
  const ended =
    own && request.alone === true ? 0 : await endTree(root, own ? since() : Number.POSITIVE_INFINITY);
  containment.lifeline.remove(root.pid);
  group?.remove();
  await Promise.race([closed, wait(drainMs, undefined, { ref: false })]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return { end, durationMs: since(), leftRunning: own ? ended : 0 };
}

/** Returns the child, or the system's error code if it could not be started. */
async function start(
  request: ProgramRequest,
  env: Record<string, string>,
  group: RunGroup | undefined,
  containment: Containment,
): Promise<ChildProcess | string> {
  const program = programOf(request, env, containment);
  if (program === undefined) return "ENOENT";
  const bare = { program, args: request.args };
  const command = request.alone === true ? bare : startCommand(bare, group?.joinFile, containment.closing);
  const child = await startChild(command, {
    cwd: request.cwd,
    env,
    detached: process.platform !== "win32",
    stdio: [hasInput(request) ? "pipe" : "ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  if (typeof child === "string") return child;
  // A program that does not read its input causes an error here, which is ignored.
  child.stdin?.on("error", () => {});
  if (request.onInput === undefined || child.stdin === null) child.stdin?.end(request.input);
  else request.onInput(child.stdin);
  return child;
}

function hasInput({ input, onInput }: ProgramRequest): boolean {
  return input !== undefined || onInput !== undefined;
}

/** Returns the program to start; undefined if it does not exist. On Windows the system itself searches for it. */
function programOf(
  request: ProgramRequest,
  env: Readonly<Record<string, string>>,
  containment: Containment,
): string | undefined {
  return process.platform === "win32"
    ? request.program
    : findProgram(request.program, env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin", containment.workspace);
}

/** Resolves to the end that comes first: the exit, the time limit, a cancellation, or an exceeded limit. */
function firstEnd(
  child: ChildProcess,
  request: ProgramRequest,
  root: TreeRoot,
  limits: GroupLimits,
): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    const timer = setTimeout(
      () => finish({ kind: "timeout" }),
      Math.min(Math.max(request.timeoutMs, 1), maxTimerMs),
    );
    const onAbort = () => finish({ kind: "cancelled" });
    const finish = (end: ProgramEnd) => {
      clearTimeout(timer);
      endWatch();
      request.signal.removeEventListener("abort", onAbort);
      resolve(end);
    };
    const endWatch =
      request.alone === true
        ? () => {}
        : watchLimits(
            limits,
            () => root.group?.members() ?? treeMembers(root),
            (reason) => finish({ kind: "killed", signal: `SIGKILL (${reason})`, atLimit: true }),
          );
    request.signal.addEventListener("abort", onAbort, { once: true });
    // The signal may have been aborted while the child was started.
    if (request.signal.aborted) onAbort();
    child.once("exit", (code, signal) =>
      finish(code === null ? { kind: "killed", signal: signal ?? "unknown" } : { kind: "exited", code }),
    );
  });
}

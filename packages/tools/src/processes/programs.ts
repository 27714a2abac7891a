/** The one door for child processes: no shell of our own, closed input, own session, scrubbed environment, an end. */
import type { ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { errorCode } from "../outcome.ts";
import { type ControlGroups, type GroupLimits, openControlGroups, type RunGroup } from "./control-group.ts";
import { childEnvironment } from "./environment.ts";
import { findProgram } from "./find-program.ts";
import { createLifeline, type Lifeline } from "./lifeline.ts";
import { endTree, markVariable, type TreeRoot, treeMembers } from "./process-tree.ts";
import { type Closing, closingInherited, startCommand } from "./start-command.ts";
import { watchLimits } from "./watch-limits.ts";

export interface ProgramRequest {
  readonly program: string;
  readonly args: readonly string[];
  /** A folder that the workspace's door gave. */
  readonly cwd: string;
  /** Set on top of the scrubbed environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What it reads; without it its input is closed. */
  readonly input?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onOutput: (chunk: Buffer) => void;
  /** Default: error output goes to `onOutput` as well. */
  readonly onErrorOutput?: (chunk: Buffer) => void;
  /** True for a program that is known to start no others: its end needs no search for what it left. */
  readonly alone?: boolean;
}

export type ProgramEnd =
  | { readonly kind: "exited"; readonly code: number }
  /** `signal` names what it was ended by; after a limit of ours also which. */
  | { readonly kind: "killed"; readonly signal: string; readonly atLimit?: true }
  | { readonly kind: "timeout" }
  | { readonly kind: "cancelled" }
  | { readonly kind: "not-started"; readonly code: string };

export interface ProgramResult {
  readonly end: ProgramEnd;
  readonly durationMs: number;
  /** How many processes were still running when the program had ended by itself; they were ended too. */
  readonly leftRunning: number;
}

export interface Programs {
  /** Never rejects. Resolves when the program and everything that it started is gone. */
  run(request: ProgramRequest): Promise<ProgramResult>;
  /** Ends all that runs now, within 2 s. Their results say `cancelled`. */
  endAll(): Promise<void>;
  /** The `PATH` that they get; empty when there is none. */
  searchPath(): string;
  /** Lets go of what the system keeps for us. For the end, after `endAll`; more than once does no harm. */
  close(): void;
}

export interface ProgramsOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly pass: readonly string[];
  /** Values (keys of services) that no child may find in its environment, under whatever name. */
  readonly secrets?: readonly string[];
  /** For each run. Default: 2,000 processes, memory as the system has it. */
  readonly limits?: Partial<GroupLimits>;
  /** Real path of the folder whose programs are not taken in place of the system's. */
  readonly workspace?: string;
}

/** Longest time that timers can hold. */
const longestMs = 2_147_483_647;
const drainMs = 500;

const usualLimits: GroupLimits = { processes: 2000, memoryBytes: undefined };

export function createPrograms(options: ProgramsOptions): Programs {
  let ending = new AbortController();
  const running = new Set<Promise<ProgramResult>>();
  const prefix = `${process.pid}-${Math.random().toString(36).slice(2)}`;
  let counter = 0;
  let environment: Record<string, string> | undefined;
  let means: Means | undefined;
  const inherited = () => {
    environment ??= childEnvironment(options.environment, options.pass, options.secrets);
    return environment;
  };
  return {
    searchPath: () => inherited()["PATH"] ?? "",
    run: (request) => {
      means ??= openMeans(options, prefix);
      counter += 1;
      const mark = `${prefix}-${counter}`;
      const env = { ...inherited(), ...request.environment, [markVariable]: mark };
      const signal = AbortSignal.any([request.signal, ending.signal]);
      const result = runProgram({ ...request, signal }, env, mark, means);
      running.add(result);
      return result.finally(() => running.delete(result));
    },
    endAll: async () => {
      ending.abort();
      ending = new AbortController();
      await Promise.all(running);
    },
    close: () => {
      means?.lifeline.close();
      means?.groups?.close();
      means = undefined;
    },
  };
}

/** What the system offers to keep hold of processes; looked for when the first program starts. */
interface Means {
  readonly groups: ControlGroups | undefined;
  readonly lifeline: Lifeline;
  readonly closing: Closing;
  readonly limits: GroupLimits;
  readonly workspace: string | undefined;
}

function openMeans(options: ProgramsOptions, markPrefix: string): Means {
  const groups = process.platform === "linux" ? openControlGroups() : undefined;
  const closing = closingInherited();
  return {
    groups,
    closing,
    lifeline: createLifeline({ markPrefix, controlGroup: groups?.path, closing }),
    limits: { ...usualLimits, ...options.limits },
    workspace: options.workspace,
  };
}

async function runProgram(
  request: ProgramRequest,
  env: Record<string, string>,
  mark: string,
  means: Means,
): Promise<ProgramResult> {
  const started = performance.now();
  const since = () => Math.round(performance.now() - started);
  if (request.signal.aborted) {
    return { end: { kind: "cancelled" }, durationMs: 0, leftRunning: 0 };
  }
  const group = request.alone === true ? undefined : means.groups?.create(means.limits);
  const child = await start(request, env, group, means);
  if (typeof child === "string") {
    group?.remove();
    return { end: { kind: "not-started", code: child }, durationMs: since(), leftRunning: 0 };
  }
  const root: TreeRoot = { pid: child.pid ?? 0, mark, group };
  means.lifeline.add(root.pid);
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  child.stdout?.on("data", request.onOutput);
  child.stderr?.on("data", request.onErrorOutput ?? request.onOutput);
  const end = await firstEnd(child, request, root, means.limits);
  const own = end.kind === "exited" || (end.kind === "killed" && end.atLimit !== true);
  const ended =
    own && request.alone === true ? 0 : await endTree(root, own ? since() : Number.POSITIVE_INFINITY);
  means.lifeline.remove(root.pid);
  group?.remove();
  await Promise.race([closed, wait(drainMs, undefined, { ref: false })]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return { end, durationMs: since(), leftRunning: own ? ended : 0 };
}

/** The child, or the system's error code when it could not be started. */
async function start(
  request: ProgramRequest,
  env: Record<string, string>,
  group: RunGroup | undefined,
  means: Means,
): Promise<ChildProcess | string> {
  const { spawn } = await import("node:child_process");
  const program = programOf(request, env, means);
  if (program === undefined) {
    return "ENOENT";
  }
  const bare = { program, args: request.args };
  const command = request.alone === true ? bare : startCommand(bare, group?.joinFile, means.closing);
  try {
    const child = spawn(command.program, [...command.args], {
      cwd: request.cwd,
      env,
      detached: process.platform !== "win32",
      stdio: [request.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    if (child.pid !== undefined) {
      child.on("error", () => {});
      // Who does not read what it is given need not.
      child.stdin?.on("error", () => {});
      child.stdin?.end(request.input);
      return child;
    }
    return await new Promise<string>((resolve) => child.once("error", (error) => resolve(errorCode(error))));
  } catch (error) {
    return errorCode(error);
  }
}

/** Windows finds programs by rules of its own. */
function programOf(
  request: ProgramRequest,
  env: Readonly<Record<string, string>>,
  means: Means,
): string | undefined {
  return process.platform === "win32"
    ? request.program
    : findProgram(request.program, env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin", means.workspace);
}

function firstEnd(
  child: ChildProcess,
  request: ProgramRequest,
  root: TreeRoot,
  limits: GroupLimits,
): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    const timer = setTimeout(
      () => finish({ kind: "timeout" }),
      Math.min(Math.max(request.timeoutMs, 1), longestMs),
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
    child.once("exit", (code, signal) =>
      finish(code === null ? { kind: "killed", signal: signal ?? "unknown" } : { kind: "exited", code }),
    );
  });
}

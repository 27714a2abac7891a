/**
 * Runs child processes with a filtered environment. Unless it gets the person's terminal, each has a separate session and a
 * time limit, gets only the input in the request, and the processes that it leaves running are ended.
 */
import type { ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { createStopClock } from "@localharness/engine";
import { type ControlGroups, type GroupLimits, openControlGroups, type RunGroup } from "./control-group.ts";
import { childEnvironment } from "./environment.ts";
import { createLifeline, type Lifeline } from "./lifeline.ts";
import { chosenProgram, outsidePrograms } from "./outside-programs.ts";
import { endTree, markVariable, type TreeRoot, treeMembers } from "./process-tree.ts";
import type {
  OutsidePrograms,
  ProgramEnd,
  ProgramReach,
  ProgramRequest,
  ProgramResult,
  Programs,
} from "./programs.ts";
import { runInTerminal } from "./run-in-terminal.ts";
import { startChild } from "./start-child.ts";
import { type Closing, closingInherited, startCommand } from "./start-command.ts";
import { watchLimits } from "./watch-limits.ts";

export interface ProgramsOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly pass: readonly string[];
  /** Values (keys of services) that must not be in a child's environment under any name. */
  readonly secrets?: readonly string[];
  /** The limits of each run; by default 2,000 processes and no memory limit. */
  readonly limits?: Partial<GroupLimits>;
  /** Returns the folders to which commands may write, whose programs must not replace programs of the system. They may change. */
  folders?(): readonly string[];
}

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
  let outside: { readonly key: string; readonly programs: OutsidePrograms } | undefined;
  const inherited = () => {
    environment ??= childEnvironment(options.environment, options.pass, options.secrets);
    return environment;
  };
  const found = () => {
    const folders = options.folders?.() ?? [];
    const key = folders.join("\0");
    if (outside?.key !== key) {
      outside = { key, programs: outsidePrograms(inherited()["PATH"] ?? "", folders) };
    }
    return outside.programs;
  };
  const within = (env: Record<string, string>, reach: ProgramReach = "outside") =>
    reach === "whole" ? env : found().environment(env, reach);
  return {
    get outside() {
      return found();
    },
    searchPath: () => inherited()["PATH"] ?? "",
    run: (request) => {
      containment ??= openContainment(options, prefix);
      const mark = nextMark();
      const env = within({ ...inherited(), ...request.environment, [markVariable]: mark }, request.reach);
      const signal = AbortSignal.any([request.signal, ending.signal]);
      const program = chosenProgram(request.program, found());
      return track(runProgram({ ...request, program, signal }, env, mark, containment));
    },
    runInTerminal: (request) => {
      const signal = AbortSignal.any([request.signal, ending.signal]);
      const env = within({ ...inherited(), ...request.environment }, request.reach);
      return track(runInTerminal({ ...request, signal }, env, nextMark()));
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
}

function openContainment(options: ProgramsOptions, markPrefix: string): Containment {
  const groups = process.platform === "linux" ? openControlGroups() : undefined;
  const closing = closingInherited();
  return {
    groups,
    closing,
    lifeline: createLifeline({ markPrefix, controlGroup: groups?.path, closing }),
    limits: { ...defaultLimits, ...options.limits },
  };
}

/** A request whose program was found; undefined if there is no such program. */
type FoundRequest = Omit<ProgramRequest, "program"> & { readonly program: string | undefined };

async function runProgram(
  request: FoundRequest,
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
  request: FoundRequest,
  env: Record<string, string>,
  group: RunGroup | undefined,
  containment: Containment,
): Promise<ChildProcess | string> {
  const { program } = request;
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

function hasInput({ input, onInput }: Pick<ProgramRequest, "input" | "onInput">): boolean {
  return input !== undefined || onInput !== undefined;
}

/** Resolves to the end that comes first: the exit, the time limit, a cancellation, or an exceeded limit. */
function firstEnd(
  child: ChildProcess,
  request: FoundRequest,
  root: TreeRoot,
  limits: GroupLimits,
): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    const clock = request.clock ?? createStopClock(() => performance.now());
    const endLimit = clock.begin(request.timeoutMs, () => finish({ kind: "timeout" }));
    const onAbort = () => finish({ kind: "cancelled" });
    const finish = (end: ProgramEnd) => {
      endLimit();
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

/** The one door for child processes: no shell of our own, closed input, own session, scrubbed environment, an end. */
import type { ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { errorCode } from "../outcome.ts";
import { childEnvironment } from "./environment.ts";
import { endTree, markVariable, type TreeRoot } from "./process-tree.ts";

export interface ProgramRequest {
  readonly program: string;
  readonly args: readonly string[];
  /** A folder that the workspace's door gave. */
  readonly cwd: string;
  /** Set on top of the scrubbed environment. */
  readonly environment?: Readonly<Record<string, string>>;
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
  | { readonly kind: "killed"; readonly signal: string }
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
}

export interface ProgramsOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly pass: readonly string[];
}

/** Longest time that timers can hold. */
const longestMs = 2_147_483_647;
const drainMs = 500;

export function createPrograms(options: ProgramsOptions): Programs {
  let ending = new AbortController();
  const running = new Set<Promise<ProgramResult>>();
  const prefix = `${process.pid}-${Math.random().toString(36).slice(2)}`;
  let counter = 0;
  let environment: Record<string, string> | undefined;
  const inherited = () => {
    environment ??= childEnvironment(options.environment, options.pass);
    return environment;
  };
  return {
    searchPath: () => inherited()["PATH"] ?? "",
    run: (request) => {
      counter += 1;
      const mark = `${prefix}-${counter}`;
      const env = { ...inherited(), ...request.environment, [markVariable]: mark };
      const signal = AbortSignal.any([request.signal, ending.signal]);
      const result = runProgram({ ...request, signal }, env, mark);
      running.add(result);
      return result.finally(() => running.delete(result));
    },
    endAll: async () => {
      ending.abort();
      ending = new AbortController();
      await Promise.all(running);
    },
  };
}

async function runProgram(
  request: ProgramRequest,
  env: Record<string, string>,
  mark: string,
): Promise<ProgramResult> {
  const started = performance.now();
  const since = () => Math.round(performance.now() - started);
  if (request.signal.aborted) {
    return { end: { kind: "cancelled" }, durationMs: 0, leftRunning: 0 };
  }
  const child = await start(request, env);
  if (typeof child === "string") {
    return { end: { kind: "not-started", code: child }, durationMs: since(), leftRunning: 0 };
  }
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  child.stdout?.on("data", request.onOutput);
  child.stderr?.on("data", request.onErrorOutput ?? request.onOutput);
  const end = await firstEnd(child, request);
  const root: TreeRoot = { pid: child.pid ?? 0, mark };
  const own = end.kind === "exited" || end.kind === "killed";
  const ended =
    own && request.alone === true ? 0 : await endTree(root, own ? since() : Number.POSITIVE_INFINITY);
  await Promise.race([closed, wait(drainMs, undefined, { ref: false })]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return { end, durationMs: since(), leftRunning: own ? ended : 0 };
}

/** The child, or the system's error code when it could not be started. */
async function start(request: ProgramRequest, env: Record<string, string>): Promise<ChildProcess | string> {
  const { spawn } = await import("node:child_process");
  try {
    const child = spawn(request.program, [...request.args], {
      cwd: request.cwd,
      env,
      detached: process.platform !== "win32",
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    if (child.pid !== undefined) {
      child.on("error", () => {});
      return child;
    }
    return await new Promise<string>((resolve) => child.once("error", (error) => resolve(errorCode(error))));
  } catch (error) {
    return errorCode(error);
  }
}

function firstEnd(child: ChildProcess, request: ProgramRequest): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    const timer = setTimeout(
      () => finish({ kind: "timeout" }),
      Math.min(Math.max(request.timeoutMs, 1), longestMs),
    );
    const onAbort = () => finish({ kind: "cancelled" });
    const finish = (end: ProgramEnd) => {
      clearTimeout(timer);
      request.signal.removeEventListener("abort", onAbort);
      resolve(end);
    };
    request.signal.addEventListener("abort", onAbort, { once: true });
    child.once("exit", (code, signal) =>
      finish(code === null ? { kind: "killed", signal: signal ?? "unknown" } : { kind: "exited", code }),
    );
  });
}

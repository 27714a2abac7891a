/** Starts a server that the person has configured: a program that communicates over its standard input and output. */
import { resolve } from "node:path";
import type { Writable } from "node:stream";
import type { ClosedPlaces } from "@localharness/engine";
import { reasonOf } from "@localharness/protocol";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { chosenProgram } from "../children/outside-programs.ts";
import type { ProgramEnd, Programs } from "../children/programs.ts";
import { release } from "../sandbox/release.ts";
import type { Sandbox, SandboxedCommand } from "../sandbox/sandbox.ts";

export interface ServerRequest {
  /** An absolute path, or a name that is searched outside the workspace. */
  readonly command: string;
  readonly args: readonly string[];
  /** The working directory, absolute or relative to the workspace; by default the workspace. */
  readonly cwd?: string;
  readonly environment: Readonly<Record<string, string>>;
  /** True to run the server in the sandbox. If there is no sandbox, the server does not start. */
  readonly sandboxed: boolean;
  /** The paths that are closed for the server in the sandbox; none by default. */
  readonly places?: ClosedPlaces;
  /** Ends the server with everything that it has started, within 2 s. */
  readonly signal: AbortSignal;
  onOutput(chunk: Uint8Array): void;
  onErrorOutput(chunk: Uint8Array): void;
}

export interface RunningServer {
  /** Writes to standard input. Resolves when there is room for more; rejects if the server has ended. */
  write(text: string): Promise<void>;
  /** Resolves to the reason in words when the server and everything that it has started have ended. Never rejects. */
  readonly ended: Promise<string>;
}

interface ServerParts {
  readonly programs: Programs;
  readonly workspace: Workspace;
  readonly sandbox: Sandbox;
}

/** Starts the server. Never rejects; if the server cannot start, `ended` resolves at once. */
export async function runServer(resources: ServerParts, request: ServerRequest): Promise<RunningServer> {
  const started = request.sandboxed ? await inSandbox(resources, request) : request;
  if (typeof started === "string") return notRunning(started);
  const { programs, workspace } = resources;
  const folder = resolve(workspace.root, request.cwd ?? ".");
  const input = Promise.withResolvers<Writable | undefined>();
  const run = programs.run({
    program: "command" in started ? started.command : started.program,
    args: started.args,
    cwd: request.cwd === undefined ? workspace.processBase : folder,
    environment: { PWD: folder, ...environmentOf(request, started) },
    timeoutMs: Number.POSITIVE_INFINITY,
    signal: request.signal,
    ...("done" in started ? { reach: "sandbox" as const } : {}),
    onInput: input.resolve,
    onOutput: request.onOutput,
    onErrorOutput: request.onErrorOutput,
  });
  const ended = run.then(({ end }) => {
    const unreleased = "done" in started ? release(started) : undefined;
    input.resolve(undefined);
    return [endText(end, request), ...(unreleased === undefined ? [] : [unreleased])].join("; ");
  });
  return { ended, write: async (text) => writeTo(await input.promise, text, ended) };
}

function environmentOf(request: ServerRequest, started: ServerRequest | SandboxedCommand) {
  return "done" in started ? { ...started.environment, ...request.environment } : request.environment;
}

/** Writes the text. Waits for room, so that a server that reads nothing cannot fill the memory. */
async function writeTo(input: Writable | undefined, text: string, ended: Promise<string>): Promise<void> {
  if (input === undefined || input.destroyed) throw new Error(await ended);
  if (input.write(text)) return;
  const room = new Promise<"room">((resolve) => input.once("drain", () => resolve("room")));
  const first = await Promise.race([room, ended]);
  if (first !== "room") throw new Error(first);
}

function notRunning(reason: string): RunningServer {
  return { ended: Promise.resolve(reason), write: () => Promise.reject(new Error(reason)) };
}

/** A script that runs its arguments as a program, because the sandbox wraps only calls of a shell. */
const runWords = 'exec "$0" "$@"';

/** Returns the program in the sandbox, or the reason why it cannot start. */
async function inSandbox(
  { programs, sandbox }: ServerParts,
  request: ServerRequest,
): Promise<SandboxedCommand | string> {
  if (sandbox.state.kind !== "on") return "its entry asks for the sandbox, and there is none here";
  const found = chosenProgram(request.command, programs.outside);
  if (found === undefined) return endText({ kind: "not-started", code: "ENOENT" }, request);
  try {
    const words = ["-c", runWords, found, ...request.args];
    return await sandbox.wrap({ program: "/bin/sh", args: words }, request.signal, request.places);
  } catch (error) {
    return `the sandbox could not be set up: ${reasonOf(error)}`;
  }
}

function endText(end: ProgramEnd, { command }: Pick<ServerRequest, "command">): string {
  switch (end.kind) {
    case "exited":
      return `it ended with exit code ${end.code}`;
    case "killed":
      return `it was killed by ${end.signal}`;
    case "timeout":
    case "cancelled":
      return "it was ended";
    case "not-started":
      return end.code === "ENOENT"
        ? `there is no program ${command}, or its folder does not exist`
        : `${command} could not be started (${end.code})`;
  }
}

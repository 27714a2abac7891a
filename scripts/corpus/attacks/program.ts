/** Starts the real program, built as it is published, without this machine's configuration. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildCli } from "../../build.ts";
import { canaries, type Place } from "./place.ts";

const root = join(import.meta.dirname, "../../..");

/** The path that starts the program. Disposing it removes a build that was made for this run. */
export interface Program extends Disposable {
  readonly start: string;
}

/** Returns the program that runs from its sources. */
export function sourceProgram(): Program {
  return { start: join(root, "packages", "cli", "src", "main.ts"), [Symbol.dispose]: () => undefined };
}

/**
 * Builds the program as it is published. The build is inside node_modules, so that it finds the packages that are not
 * bundled.
 */
export async function buildProgram(): Promise<Program> {
  const target = join(root, "node_modules", ".cache", `localharness-attacks-${process.pid}`);
  await buildCli(target);
  return {
    start: join(target, "bin", "localharness"),
    [Symbol.dispose]: () => rmSync(target, { recursive: true, force: true }),
  };
}

export interface StartOptions {
  readonly program: string;
  /** Usually off, so that the sandbox does not hide what the policy lets through. */
  readonly sandbox: "auto" | "off";
  readonly place: Place;
  readonly args: readonly string[];
  /** The working directory; the workspace when absent. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** True if the program runs in a pseudo-terminal. */
  readonly terminal?: boolean;
  /** Words before the program on the command line, such as `strace`. */
  readonly under?: readonly string[];
}

/** Starts the program as the leader of a process group, so that a signal can reach its children, as from a terminal. */
export function startProgram(options: StartOptions): ChildProcess {
  const { place, program, under = [] } = options;
  const probe = `${pathToFileURL(join(import.meta.dirname, "probe.mjs"))}?report=${reportPath(place)}`;
  const words = [...under, process.execPath, "--import", probe, program, ...options.args];
  const [command = "", ...args] = options.terminal === true ? inTerminal(words) : words;
  return spawn(command, args, {
    cwd: options.cwd ?? place.ws,
    env: environment(place, options.env),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
}

export function environment(
  place: Place,
  more: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string | undefined>> {
  return {
    PATH: process.env["PATH"],
    HOME: place.home,
    LANG: "C.UTF-8",
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    TERM: "xterm-256color",
    HARNESS_API_KEY: canaries.environment,
    OPENAI_API_KEY: canaries.environment,
    GITHUB_TOKEN: canaries.environment,
    LOCALHARNESS_API_KEY: canaries.apiKey,
    ...more,
  };
}

function inTerminal(words: readonly string[]): string[] {
  const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  return ["script", "-qefc", `stty cols 200 rows 50; exec ${quoted}`, "/dev/null"];
}

function reportPath(place: Place): string {
  return join(place.root, "probe.json");
}

export interface ProbeReport {
  /** The growth of the resident memory from the first measurement to its later peak, in MB. */
  readonly grownMb?: number;
  readonly lagMs?: number;
  /** True if the prototype of all objects has new properties. */
  readonly polluted?: boolean;
}

export function probeReport(place: Place): ProbeReport {
  return existsSync(reportPath(place)) ? JSON.parse(readFileSync(reportPath(place), "utf8")) : {};
}

/** Makes the probe take its first measurement, and waits for it. */
export async function beginWatch(child: ChildProcess, place: Place): Promise<void> {
  if (child.pid === undefined) return;
  process.kill(child.pid, "SIGUSR2");
  for (let left = 200; left > 0 && !existsSync(reportPath(place)); left -= 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export function endWatch(child: ChildProcess): void {
  if (child.pid !== undefined && child.exitCode === null) process.kill(child.pid, "SIGUSR2");
}

/** Signals the program's whole process group, even after the program itself has ended. */
export function endGroup(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // No process of the group is left.
  }
}

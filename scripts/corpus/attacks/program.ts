/** Starts the real program, built as it is published, with nothing of this machine's own configuration. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildCli } from "../../build.ts";
import { canaries, type Place } from "./place.ts";

const root = join(import.meta.dirname, "../../..");

/** Where the program starts; removed, when it was built for this run, by whoever asked for it. */
export interface Program extends Disposable {
  readonly start: string;
}

/** The program from its sources, as they are at each start. */
export function sourceProgram(): Program {
  return { start: join(root, "packages", "cli", "src", "main.ts"), [Symbol.dispose]: () => undefined };
}

/** The program as it is published. Below node_modules, so that the packages beside the bundle are found. */
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
  /** Off as a rule: what policy lets through must not be hidden by a second wall. */
  readonly sandbox: "auto" | "off";
  readonly place: Place;
  readonly args: readonly string[];
  /** Where it starts; the workspace when absent. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** In a terminal of its own. */
  readonly terminal?: boolean;
  /** What is put before the program on the command line. */
  readonly under?: readonly string[];
}

/** It leads a process group, so that a signal can reach it and its children as from a terminal. */
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
  /** Megabytes of resident memory above what it was when watching began. */
  readonly grownMb?: number;
  readonly lagMs?: number;
  /** Something was put on the prototype of all objects. */
  readonly polluted?: boolean;
}

export function probeReport(place: Place): ProbeReport {
  return existsSync(reportPath(place)) ? JSON.parse(readFileSync(reportPath(place), "utf8")) : {};
}

/** Has the probe take its first measure, and waits until it has. */
export async function beginWatch(child: ChildProcess, place: Place): Promise<void> {
  if (child.pid === undefined) return;
  process.kill(child.pid, "SIGUSR2");
  for (let left = 200; left > 0 && !existsSync(reportPath(place)); left--) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export function endWatch(child: ChildProcess): void {
  if (child.pid !== undefined && child.exitCode === null) process.kill(child.pid, "SIGUSR2");
}

/** Ends the program's whole process group, whatever is left of it. */
export function endGroup(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Nothing of it is left.
  }
}

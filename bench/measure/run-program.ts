/** Runs a program once in a clean environment, and measures time and memory. Needs bash (for `time`) and Linux. */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import type { FakeModelServer, ServerJob } from "../fake-model/control.ts";
import { monotonicMs, type ServerReport } from "../fake-model/request-log.ts";
import { busySeconds } from "./machine.ts";
import { watchProcessTree } from "./process-tree.ts";

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunPlace {
  /** The home folder of the program. It is kept between runs, like a person's. */
  readonly home: string;
  readonly workspace: string;
}

export interface Run {
  readonly wallMs: number;
  /** User and system time of the program and of the child processes for which it waited. */
  readonly cpuMs: number;
  /** Peak sum of resident memory of the process tree, in 10^6 bytes. */
  readonly peakMb: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Share of all processors that other processes used meanwhile. */
  readonly outside: number;
  readonly output: string;
  readonly report: ServerReport | undefined;
  readonly problems: readonly string[];
}

const limitMs = 300_000;
/** The program writes to files, because a pipe would need a reader. */
const script = `TIMEFORMAT='%3U %3S'; { time "$@" >"$BENCH_OUT" 2>"$BENCH_ERR" </dev/null; } 2>"$BENCH_TIME"`;

/** Returns the environment of a run, which inherits nothing from the caller's. */
function cleanEnvironment(place: RunPlace): Record<string, string> {
  const { home } = place;
  const temporary = join(home, "tmp");
  mkdirSync(temporary, { recursive: true });
  return {
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_STATE_HOME: join(home, ".local/state"),
    TMPDIR: temporary,
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    USER: "bench",
    SHELL: "/bin/bash",
  };
}

/**
 * Runs a program, and kills it after five minutes. The run has a problem when the exit code is not 0, and with `told` also
 * when the requests deviate from the scenario.
 */
export async function runProgram(
  command: Command,
  place: RunPlace,
  told?: { readonly server: FakeModelServer; readonly job: ServerJob },
): Promise<Run> {
  mkdirSync(place.home, { recursive: true });
  await told?.server.begin(told.job);
  const files = {
    BENCH_OUT: join(place.home, "out"),
    BENCH_ERR: join(place.home, "err"),
    BENCH_TIME: join(place.home, "time"),
  };
  const env = { ...cleanEnvironment(place), ...command.env, ...files };
  const before = await usedSeconds(told?.server);
  const startedAt = monotonicMs();
  const child = spawn("bash", ["-c", script, "bench", command.file, ...command.args], {
    cwd: place.workspace,
    env,
    stdio: "ignore",
  });
  const exited = new Promise<number | string>((resolve, reject) => {
    child.on("exit", (code, signal) => resolve(code ?? signal ?? 1));
    child.on("error", reject);
  });
  const tree = watchProcessTree(child.pid ?? 0);
  const limit = setTimeout(() => tree.kill(), limitMs);
  const exit = await exited;
  const endedAt = monotonicMs();
  clearTimeout(limit);
  const { peakKib } = tree.stop();
  const after = await usedSeconds(told?.server);
  tree.kill();
  const [user, system] = (readFileSync(files.BENCH_TIME, "utf8").trim().split("\n").at(-1) ?? "")
    .split(" ")
    .map(Number);
  const cpuMs = ((user ?? 0) + (system ?? 0)) * 1000;
  const others = after.machine - before.machine - (after.ours - before.ours) - cpuMs / 1000;
  const problems = [
    ...(exit === 0 ? [] : [`exit ${exit}: ${lastLine(files.BENCH_ERR)}`]),
    ...(after.report?.problems ?? []),
  ];
  return {
    wallMs: endedAt - startedAt,
    cpuMs,
    peakMb: (peakKib * 1024) / 1e6,
    startedAt,
    endedAt,
    outside: Math.max(0, others / ((endedAt - startedAt) / 1000) / availableParallelism()),
    output: files.BENCH_OUT,
    report: after.report,
    problems,
  };
}

/** Returns the processor seconds of the machine, and those of this process and the server together. */
async function usedSeconds(server: FakeModelServer | undefined) {
  const answer = await server?.report();
  const own = process.cpuUsage();
  const microseconds = own.user + own.system + (answer?.cpu.user ?? 0) + (answer?.cpu.system ?? 0);
  return { machine: busySeconds(), ours: microseconds / 1e6, report: answer?.report };
}

function lastLine(file: string): string {
  return readFileSync(file, "utf8").trim().split("\n").at(-1)?.slice(0, 200) ?? "";
}

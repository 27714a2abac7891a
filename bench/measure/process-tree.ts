/** Watches a process and its descendants in /proc every 20 ms: memory, and which of them outlive it. Linux only. */
import { readdirSync, readFileSync } from "node:fs";

const everyMs = 20;
const pageKib = 4;

interface Seen {
  readonly parent: number;
  readonly startedAt: string | undefined;
  /**
   * True if the process has run a program other than its parent's. Until then (between fork and exec), the system
   * reports the parent's memory for it.
   */
  own: boolean;
}

export interface ProcessTree {
  /** Stops the measurement. Returns the peak resident memory in KiB without the root, and the processes still running. */
  stop(): { readonly peakKib: number; readonly outlived: readonly number[] };
  /** Kills all remaining processes of the tree except the root. */
  kill(): void;
}

export function watchProcessTree(root: number): ProcessTree {
  const seen = new Map<number, Seen>();
  let peakKib = 0;
  const sample = () => {
    if (!seen.has(root)) seen.set(root, { parent: 0, startedAt: startOf(root), own: false });
    for (const pid of seen.keys()) {
      for (const child of childrenOf(pid)) {
        if (!seen.has(child)) seen.set(child, { parent: pid, startedAt: startOf(child), own: false });
      }
    }
    let sum = 0;
    for (const [pid, process] of seen) {
      if (pid === root) continue;
      process.own ||= commandLine(pid) !== commandLine(process.parent);
      if (process.own) sum += Number(read(`/proc/${pid}/statm`).split(" ")[1] ?? 0) * pageKib;
    }
    peakKib = Math.max(peakKib, sum);
  };
  const alive = () =>
    [...seen].filter(([pid, process]) => pid !== root && isSame(pid, process)).map(([pid]) => pid);
  const timer = setInterval(sample, everyMs);
  sample();
  return {
    stop() {
      clearInterval(timer);
      return { peakKib, outlived: alive() };
    },
    kill() {
      for (const pid of alive()) {
        try {
          process.kill(pid, "SIGKILL");
        } catch {
          // The process has just ended by itself.
        }
      }
    },
  };
}

function isSame(pid: number, seen: Seen): boolean {
  const fields = statFields(pid);
  return fields !== undefined && fields[0] !== "Z" && fields[19] === seen.startedAt;
}

function startOf(pid: number): string | undefined {
  return statFields(pid)?.[19];
}

/**
 * Returns the fields of /proc/PID/stat from the state on, because the name before them may contain spaces; undefined if
 * there is no such process.
 */
export function statFields(pid: number): string[] | undefined {
  const stat = read(`/proc/${pid}/stat`);
  return stat === "" ? undefined : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function childrenOf(pid: number): number[] {
  let threads: string[] = [];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
  const lists = threads.map((thread) => read(`/proc/${pid}/task/${thread}/children`));
  return lists
    .join(" ")
    .split(" ")
    .map(Number)
    .filter((child) => child > 0);
}

function commandLine(pid: number): string {
  return read(`/proc/${pid}/cmdline`);
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

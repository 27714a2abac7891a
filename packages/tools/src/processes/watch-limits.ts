/** Ends a run that takes more processes or memory than it may, counted from outside, as every Linux allows. */
import { readFileSync } from "node:fs";
import type { GroupLimits } from "./control-group.ts";

/** The first look comes soon: what multiplies does so fast. */
const everyMs = 250;

/**
 * `members` gives the ids of all processes of the run. `exceeded` is told the reason once. Returns what ends the watch.
 */
export function watchLimits(
  limits: GroupLimits,
  members: () => readonly number[],
  exceeded: (reason: string) => void,
): () => void {
  if (process.platform !== "linux") {
    return () => {};
  }
  const timer = setInterval(() => {
    const reason = reasonToEnd(limits, members());
    if (reason !== undefined) {
      clearInterval(timer);
      exceeded(reason);
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

function reasonToEnd(limits: GroupLimits, pids: readonly number[]): string | undefined {
  if (pids.length > limits.processes) {
    return `more than ${limits.processes} processes at once`;
  }
  const most = limits.memoryBytes;
  if (most !== undefined && pids.reduce((sum, pid) => sum + ownBytes(pid), 0) > most) {
    return `more than ${Math.round(most / 1024 / 1024)} MB of memory`;
  }
  return undefined;
}

/** What a process holds for itself, without what it shares. */
function ownBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

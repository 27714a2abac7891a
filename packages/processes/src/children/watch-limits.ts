/** Detects a run with too many processes or too much memory by polling `/proc`, which works on every Linux. */

import { readFileSync } from "node:fs";
import { countText } from "@localharness/protocol";
import type { GroupLimits } from "./control-group.ts";

/** The time between two checks: short, because a fork bomb grows fast. */
const everyMs = 250;

/**
 * Watches a run until a limit is exceeded; does nothing outside Linux. `members` returns the ids of the run's processes.
 * `exceeded` is called once, with the reason. Returns a function that stops watching.
 */
export function watchLimits(
  limits: GroupLimits,
  members: () => readonly number[],
  exceeded: (reason: string) => void,
): () => void {
  if (process.platform !== "linux") return () => {};
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
    return `more than ${countText(limits.processes, "process", "processes")} at once`;
  }
  const most = limits.memoryBytes;
  if (most !== undefined && pids.reduce((sum, pid) => sum + ownBytes(pid), 0) > most) {
    return `more than ${Math.round(most / 1024 / 1024)} MB of memory`;
  }
  return undefined;
}

/** Returns the private memory of a process in bytes, without shared memory. */
function ownBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

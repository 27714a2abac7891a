/** Measures how busy the machine is, to recognize runs that other processes disturbed. Linux only. */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { monotonicMs } from "../fake-model/request-log.ts";

const ticksPerSecond = 100;

/** Returns the busy seconds of all processors together since the machine started. */
export function busySeconds(): number {
  const [, user, nice, system, , , irq, softirq, steal] = (
    readFileSync("/proc/stat", "utf8").split("\n")[0] ?? ""
  ).split(/\s+/);
  return (
    [user, nice, system, irq, softirq, steal].reduce((sum, ticks) => sum + Number(ticks ?? 0), 0) /
    ticksPerSecond
  );
}

/** Waits until at most a tenth of the machine is in use, or until `limitMs` milliseconds have passed. */
export async function waitForQuiet(limitMs: number): Promise<void> {
  const end = monotonicMs() + limitMs;
  while (monotonicMs() < end) {
    const before = busySeconds();
    await sleep(200);
    if ((busySeconds() - before) / 0.2 / availableParallelism() <= 0.1) return;
  }
}

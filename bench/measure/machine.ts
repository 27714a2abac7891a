/** How busy the machine is, so that a run that others disturbed is known. Linux only. */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { monotonicMs } from "../fake-model/request-log.ts";

const ticksPerSecond = 100;

/** Seconds that all processors together have worked since the machine started. */
export function busySeconds(): number {
  const [, user, nice, system, , , irq, softirq, steal] = (
    readFileSync("/proc/stat", "utf8").split("\n")[0] ?? ""
  ).split(/\s+/);
  return (
    [user, nice, system, irq, softirq, steal].reduce((sum, ticks) => sum + Number(ticks ?? 0), 0) /
    ticksPerSecond
  );
}

/** Waits until at most a tenth of the machine is in use, at most so long. */
export async function waitForQuiet(limitMs: number): Promise<void> {
  const end = monotonicMs() + limitMs;
  while (monotonicMs() < end) {
    const before = busySeconds();
    await sleep(200);
    if ((busySeconds() - before) / 0.2 / availableParallelism() <= 0.1) return;
  }
}

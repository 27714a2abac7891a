/** Which processes still run in the folders of a case. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Waits until no process below the folder fits; resolves to those that are left when time is over. */
export async function leftRunning(folder: string, pattern: RegExp, withinMs: number): Promise<string[]> {
  const until = performance.now() + withinMs;
  for (;;) {
    const alive = processesBelow(folder, pattern);
    if (alive.length === 0 || performance.now() >= until) return alive;
    await sleep(20);
  }
}

/** Waits until some process below the folder fits. False when none does in time. */
export async function startsRunning(folder: string, pattern: RegExp, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (processesBelow(folder, pattern).length === 0) {
    if (performance.now() >= until) return false;
    await sleep(10);
  }
  return true;
}

/** Id and command line of the processes that work below the folder; the program itself does not count. */
export function processesBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      if (!readlinkSync(`/proc/${name}/cwd`).startsWith(folder)) return [];
      const line = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      return pattern.test(line) && !line.includes("probe.mjs") ? [`${name} ${line}`] : [];
    } catch {
      return [];
    }
  });
}

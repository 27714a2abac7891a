/** Finds the processes that run in the folders of a case. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Waits until no process below the folder matches. Resolves to those that remain after `withinMs`. */
export async function leftRunning(folder: string, pattern: RegExp, withinMs: number): Promise<string[]> {
  const until = performance.now() + withinMs;
  for (;;) {
    const alive = processesBelow(folder, pattern);
    if (alive.length === 0 || performance.now() >= until) return alive;
    await sleep(20);
  }
}

/** Waits until a process below the folder matches. Resolves to false when none does within `withinMs`. */
export async function startsRunning(folder: string, pattern: RegExp, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (processesBelow(folder, pattern).length === 0) {
    if (performance.now() >= until) return false;
    await sleep(10);
  }
  return true;
}

/**
 * Returns id and command line of the matching processes whose working directory is below the folder, without the
 * program itself.
 */
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

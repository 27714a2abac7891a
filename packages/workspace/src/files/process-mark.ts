/** Identifies a process by id and start time, so that a later process with the same id is not mistaken for it. */
import { readFileSync } from "node:fs";
import { errorCode } from "../outcome.ts";

/** Returns `pid-start`, with start 0 if the system does not report it. Returns undefined if there is no such process. */
export function processMark(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may contain spaces; the start time is the 20th field after it.
    const start = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return `${pid}-${start ?? "0"}`;
  } catch {
    return process.platform === "linux" ? undefined : markWithoutStart(pid);
  }
}

export function ownMark(): string {
  return processMark(process.pid) ?? `${process.pid}-0`;
}

function markWithoutStart(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
    return `${pid}-0`;
  } catch (error) {
    return errorCode(error) === "EPERM" ? `${pid}-0` : undefined;
  }
}

/** Names a process so that a later one with the same number is not taken for it. */
import { readFileSync } from "node:fs";
import { errorCode } from "../outcome.ts";

/** `pid-start`; start is 0 where the system does not tell it. Undefined when there is no such process. */
export function processMark(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold spaces; after it, the start time is the 20th field.
    const start = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return `${pid}-${start ?? "0"}`;
  } catch {
    return process.platform === "linux" ? undefined : markWithoutStart(pid);
  }
}

/** The mark of this process. */
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

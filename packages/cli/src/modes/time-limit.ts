/** The limit of a whole run: work is interrupted in order, and what does not end then is left behind. */
import { leave } from "./interrupts.ts";

export interface TimeLimit {
  readonly expired: boolean;
  /** What to do at the end of the time, in place of what was said before. Until something is said, the program just ends. */
  onExpiry(act: () => void, endChildren: () => Promise<void>): void;
}

/** How long what was interrupted has to end: a tool gets two seconds of it. */
const graceMs = 4_000;
/** The most that a timer can wait. */
const longestMs = 2 ** 31 - 1;

/** Starts now; `exitCode` is what the program leaves with when it has to be left. Undefined: no limit. */
export function startTimeLimit(seconds: number | undefined, exitCode: number): TimeLimit {
  let expired = false;
  let act: (() => void) | undefined;
  let endChildren = () => Promise.resolve();
  if (seconds !== undefined) {
    const timer = setTimeout(
      () => {
        expired = true;
        process.stderr.write(`! the time of ${seconds} s is over (--timeout)\n`);
        const end = () => leave(endChildren, exitCode);
        if (act === undefined) return end();
        act();
        setTimeout(end, graceMs).unref();
      },
      Math.min(seconds * 1_000, longestMs),
    );
    timer.unref();
  }
  return {
    get expired() {
      return expired;
    },
    onExpiry(wanted, end) {
      act = wanted;
      endChildren = end;
      if (expired) wanted();
    },
  };
}

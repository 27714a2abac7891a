/** Limits the time of a whole run. Interrupts the work at the limit, and exits if the work does not end soon. */
import { leave } from "./interrupts.ts";

export interface TimeLimit {
  readonly expired: boolean;
  /**
   * Sets or replaces the action at the time limit; calls it at once if the limit has passed. Without one the program exits.
   */
  onExpiry(act: () => void, endChildren: () => Promise<void>): void;
}

/** The milliseconds that interrupted work may take to end, of which a tool may need up to 2 s. */
const graceMs = 4_000;
/** The maximum delay of a timer in Node, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

/** Starts the time limit; no limit if `seconds` is undefined. `exitCode` is used if the work does not end by itself. */
export function startTimeLimit(seconds: number | undefined, exitCode: number): TimeLimit {
  let expired = false;
  let act: (() => void) | undefined;
  let endChildren = () => Promise.resolve();
  if (seconds !== undefined) {
    const timer = setTimeout(
      () => {
        expired = true;
        process.stderr.write(`! the time limit of ${seconds} s was reached (--timeout)\n`);
        const end = () => leave(endChildren, exitCode);
        if (act === undefined) return end();
        act();
        setTimeout(end, graceMs).unref();
      },
      Math.min(seconds * 1_000, maxTimerMs),
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

/** Limits the time of a whole run: interrupts the work, and exits when it does not end soon after that. */
import { leave } from "./interrupts.ts";

export interface TimeLimit {
  readonly expired: boolean;
  /** Sets the action for the end of the time, and replaces the earlier one. Without an action the program exits. */
  onExpiry(act: () => void, endChildren: () => Promise<void>): void;
}

/** The time that interrupted work may take to end; a tool takes up to two seconds of it. */
const graceMs = 4_000;
/** The longest delay of a timer. */
const maxTimerMs = 2 ** 31 - 1;

/** Starts the time limit; `seconds` undefined means no limit. `exitCode` is used when the work does not end by itself. */
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

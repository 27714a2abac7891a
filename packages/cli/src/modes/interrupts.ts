/**
 * Counts Ctrl-C presses and termination signals. The first press can interrupt the work, and the second can end the
 * program.
 */
import { exitCodes } from "@localharness/harness/exit-code";

export interface Interrupts {
  /** Counts a press, as if Ctrl-C had been pressed. */
  press(): void;
  /** Sets the count back to zero. */
  reset(): void;
  /** Tells that the interrupted work has ended. A press later than one second after the last press then counts as the first. */
  settle(): void;
  stop(): void;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Signals and calls of `press` within this time count as one press, because the terminal and a parent process may both
 * send a signal for it.
 */
const samePressMs = 60;
/** Two presses within this time end the program, even if the interrupted work has ended between them. */
const doublePressMs = 1_000;

/**
 * Watches for signals and calls `onPress` for each press. `signal` is undefined if the caller has called `press`, because a
 * terminal in raw mode sends no signal.
 */
export function watchInterrupts(onPress: (count: number, signal?: NodeJS.Signals) => void): Interrupts {
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  let settled = false;
  const press = (signal?: NodeJS.Signals) => {
    const now = performance.now();
    if (now - last < samePressMs) return;
    if (settled && now - last > doublePressMs) count = 0;
    settled = false;
    last = now;
    count += 1;
    onPress(count, signal);
  };
  for (const name of signals) process.on(name, press);
  return {
    press: () => press(),
    settle() {
      settled = true;
    },
    reset() {
      count = 0;
      last = Number.NEGATIVE_INFINITY;
    },
    stop() {
      for (const name of signals) process.off(name, press);
    },
  };
}

/** Exits after the child processes of tools have ended. Exits anyway after two seconds, or at the next signal. */
export function leave(endChildren: () => Promise<void>, exitCode: number = exitCodes.interrupted): void {
  const exit = () => process.exit(exitCode);
  setTimeout(exit, 2_000);
  for (const name of signals) process.once(name, exit);
  void endChildren().then(exit, exit);
}

/** Ctrl-C and its kin: the first press interrupts, the second leaves. */
import { exitCodes } from "@localharness/harness/exit-code";

export interface Interrupts {
  /** As if Ctrl-C had been pressed. */
  press(): void;
  /** The next press counts as the first again. */
  reset(): void;
  /** What was pressed for is done: a press that comes soon is still the second, a later one is the first. */
  settle(): void;
  stop(): void;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** One press may arrive twice, from the terminal and from a parent that passes it on. */
const samePressMs = 60;
/** Two presses in a row mean to leave, also when the first one's work was done between them. */
const inARowMs = 1_000;

/** `onPress` gets the signal where it came as one, and not from the keyboard of a terminal in raw mode. */
export function watchInterrupts(onPress: (count: number, signal?: NodeJS.Signals) => void): Interrupts {
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  let settled = false;
  const press = (signal?: NodeJS.Signals) => {
    const now = performance.now();
    if (now - last < samePressMs) return;
    if (settled && now - last > inARowMs) count = 0;
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

/** Leaves as soon as what tools have started is gone, at the latest after two seconds, or at the next press. */
export function leave(endChildren: () => Promise<void>, exitCode: number = exitCodes.interrupted): void {
  const exit = () => process.exit(exitCode);
  setTimeout(exit, 2_000);
  for (const name of signals) process.once(name, exit);
  void endChildren().then(exit, exit);
}

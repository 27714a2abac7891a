/** Lets another program use the terminal for a time. The screen stops, and is drawn again afterwards. */
import { setTimeout as wait } from "node:timers/promises";
import type { FrozenScreen } from "./frozen-screen.ts";

export interface TerminalLoan {
  /** Runs `borrow` while the screen does not use the terminal. Does nothing if the terminal is already lent. */
  lend(borrow: () => Promise<void>): Promise<void>;
  /** Returns true while another program has the terminal. */
  isLent(): boolean;
}

export interface LoanParts {
  readonly screen: Pick<FrozenScreen, "start" | "stop" | "requestRender">;
  /** Called when the screen has the terminal again, before the next frame is drawn. */
  returned(): void;
}

export function createTerminalLoan({ screen, returned }: LoanParts): TerminalLoan {
  let lent = false;
  return {
    async lend(borrow) {
      if (lent) return;
      lent = true;
      screen.stop();
      try {
        await borrow();
      } finally {
        lent = false;
        screen.start();
        returned();
        // The frame is forced, because pi-tui believes that an earlier request is still pending.
        screen.requestRender(true);
      }
    },
    isLent: () => lent,
  };
}

/**
 * Suspends the program until the shell resumes it. Without job control the signal has no effect, and the screen returns
 * at once.
 */
export function suspendProgram(loan: TerminalLoan): Promise<void> {
  return loan.lend(async () => {
    process.kill(0, "SIGTSTP");
    await wait(50);
  });
}

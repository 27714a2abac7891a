/** Gives the terminal to another program and takes it back. */
import type { FrozenScreen } from "./frozen-screen.ts";

/** Stops the screen, so that another program has the terminal. Returns a function that takes it back and draws the screen. */
export function giveTerminal(screen: FrozenScreen): () => void {
  screen.stop();
  return () => {
    screen.start();
    // Forced, because pi-tui believes that the frame requested before is still pending.
    screen.requestRender(true);
  };
}

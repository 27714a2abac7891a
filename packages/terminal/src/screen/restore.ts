/** Whatever ends the program, the terminal is left as it was: keys in lines, cursor shown, no modes of ours. */
import type { TerminalStreams } from "./input-terminal.ts";

/** Line ends, paste marks, kitty's keys, a frame that was not finished, styles. */
const restoring = "\u001b[?2026l\u001b[?7h\u001b[<u\u001b[?2004l\u001b[?25h\u001b[0m";

/** From now on; returns what ends that. `parting` puts the cursor where what follows destroys nothing. */
export function restoreAtExit({ input, output }: TerminalStreams, parting: () => string): () => void {
  const restore = () => {
    try {
      output.write(parting() + restoring);
      input.setRawMode(false);
    } catch {
      // The terminal itself is gone.
    }
  };
  process.once("exit", restore);
  return () => process.off("exit", restore);
}

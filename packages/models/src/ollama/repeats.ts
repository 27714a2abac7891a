/** What an answer says more than once: the same piece of text over and over, and calls that its last line says again. */
import type { CallDelta } from "../call-delta.ts";

/** Ollama ends an answer without a last line after 30 pieces that say the same; its parsers may have joined some. */
const mostAlike = 25;

/** Counts the pieces at the end that say the same, but for blanks. */
export function createEcho() {
  let last = "";
  let alike = 0;
  return {
    push(piece: string): void {
      const text = piece.trim();
      alike = text === last ? alike + 1 : 0;
      last = text;
    },
    /** What was said over and over; undefined when nothing was. */
    repeated: () => (alike >= mostAlike ? last.slice(0, 40) : undefined),
  };
}

/** True for a call that came before under the same id: some servers say all calls once more in their last line. */
export function createRepeats(): (call: CallDelta) => boolean {
  const said = new Set<string>();
  return ({ id, name, arguments: args }) => {
    const call = JSON.stringify([id, name, args]);
    if (id === "" || !said.has(call)) {
      said.add(call);
      return false;
    }
    return true;
  };
}

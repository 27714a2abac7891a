/** Detects repetition in an answer: the same piece of text many times, or calls that the last line sends again. */
import type { CallDelta } from "../../answer/call-delta.ts";

/**
 * If the last piece of an unfinished answer was repeated at least this often, the answer counts as stopped for repetition.
 * Ollama stops after 30 equal pieces and sends no last line. Fewer may arrive here, because Ollama's parsers may join some.
 */
const maxAlike = 25;

/**
 * Creates a counter of the equal pieces at the end of the answer. It ignores white space around the pieces. An empty piece is
 * no repetition of any other.
 */
export function createEcho() {
  let last = "";
  let alike = 0;
  return {
    push(piece: string): void {
      const text = piece.trim();
      alike = piece !== "" && text === last ? alike + 1 : 0;
      last = text;
    },
    /** Returns at most 40 characters of the repeated text; undefined if there were fewer than `maxAlike` repetitions. */
    repeated: () => (alike >= maxAlike ? last.slice(0, 40) : undefined),
  };
}

export interface Repeats {
  /** Returns true if the call has an id and an equal call was kept. Some servers repeat all calls at the end. */
  isAgain(call: CallDelta): boolean;
  keep(call: CallDelta): void;
}

export function createRepeats(): Repeats {
  const said = new Set<string>();
  const written = ({ id, name, arguments: args }: CallDelta) => JSON.stringify([id, name, args]);
  return {
    isAgain: (call) => call.id !== "" && said.has(written(call)),
    keep: (call) => void said.add(written(call)),
  };
}

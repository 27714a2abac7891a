/**
 * Commands that nobody wants an agent to run: they are refused whatever was allowed. A net for accidents, not a wall:
 * what a hostile command may do is up to the person who is asked.
 */
import type { Grammar } from "./grammar.ts";
import { hiddenCalls } from "./hidden-calls.ts";
import { harms } from "./programs/harms.ts";
import { baseName, programOf } from "./programs/table.ts";
import { readCommand } from "./read-command.ts";

/** A function that calls itself twice in the background. Looked for at the beginnings of names only, to stay linear. */
const forkBomb = /(?<![\w:.])([\w:.]+)\s*\(\s*\)\s*\{\s*\1\s*\|\s*\1\s*&\s*\}\s*;?\s*\1/;

/** Why the command is refused, or undefined. */
export function refuseDisaster(command: string, grammar: Grammar): string | undefined {
  if (forkBomb.test(command)) return "it starts processes without end (a fork bomb)";
  const reading = readCommand(command, grammar);
  const hidden = hiddenCalls(reading, grammar);
  for (const [program = "", ...args] of [...reading.found, ...hidden.calls]) {
    const harm = programOf(baseName(program)).harm?.(args);
    if (harm !== undefined) return harm;
  }
  return harms.overwrites([...reading.writesTo, ...hidden.writesTo]);
}

/**
 * Refuses commands that destroy the system or a disk, or that stop the computer or all processes, even if a rule or an
 * answer allows them. This prevents accidents. It does not stop a hostile command, about which the person decides.
 */
import type { Grammar } from "./grammar.ts";
import { hiddenCalls } from "./hidden-calls.ts";
import { harms } from "./programs/harms.ts";
import { programOf } from "./programs/table.ts";
import { readCommand } from "./read-command.ts";

/** Matches a function that calls itself twice in the background, only from the start of a name: the time stays linear. */
const forkBomb = /(?<![\w:.])([\w:.]+)\s*\(\s*\)\s*\{\s*\1\s*\|\s*\1\s*&\s*\}\s*;?\s*\1/;

/** Returns the reason for refusing the command; undefined if it is not refused. */
export function refuseDisaster(command: string, grammar: Grammar): string | undefined {
  if (forkBomb.test(command)) return "it starts processes without end (a fork bomb)";
  const reading = readCommand(command, grammar);
  const hidden = hiddenCalls(reading, grammar);
  for (const [program = "", ...args] of [...reading.found, ...hidden.calls]) {
    const harm = programOf(program).harm?.(args);
    if (harm !== undefined) return harm;
  }
  return harms.overwrites([...reading.writesTo, ...hidden.writesTo]);
}

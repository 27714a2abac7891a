/**
 * Refuses commands that destroy the system or a disk, or that stop the computer or all processes, even if a rule or an
 * answer allows them. This prevents accidents. It does not stop a hostile command, about which the person decides.
 */
import { hiddenCalls } from "./hidden-calls.ts";
import { harms } from "./programs/harms.ts";
import { programOf } from "./programs/table.ts";
import type { CommandReader } from "./reader.ts";

/** Returns the reason for refusing the command; undefined if it is not refused. */
export function refuseDisaster(command: string, reader: CommandReader): string | undefined {
  const reading = reader.read(command);
  const hidden = hiddenCalls(reading, reader);
  if (reading.doubles || hidden.doubles) return "it starts processes without end (a fork bomb)";
  for (const [program = "", ...args] of [...reading.found, ...hidden.calls]) {
    const harm = programOf(program).harm?.(args);
    if (harm !== undefined) return harm;
  }
  return harms.overwrites([...reading.writesTo, ...hidden.writesTo]);
}

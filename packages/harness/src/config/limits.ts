/** Reads the limits of a session from the settings. */
import type { Limits } from "@localharness/engine";
import { defined } from "@localharness/protocol";
import type { ConfigValues } from "./fields.ts";

/** Returns the limits that the settings set. */
export function limitsOf(values: ConfigValues): Partial<Limits> {
  return defined({
    callsPerBatch: values["limits.calls_per_iteration"],
    iterationsPerTurn: values["limits.iterations_per_turn"],
    iterationsWithoutProgress: values["limits.iterations_without_progress"],
    callsPerMinute: values["limits.calls_per_minute"],
    commandsPerTurn: values["limits.commands_per_turn"],
    bytesWrittenPerTurn: values["limits.bytes_written_per_turn"],
  });
}

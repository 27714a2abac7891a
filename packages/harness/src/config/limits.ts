/** Reads the limits of a session and the shares of its context window from the settings. */
import { defaultShares, type WindowShares } from "@localharness/context/budgets";
import type { Limits } from "@localharness/engine";
import { defined } from "@localharness/protocol";
import type { ConfigValues } from "./config-values.ts";

/** Returns only the limits that the settings set. */
export function limitsOf(values: ConfigValues): Partial<Limits> {
  return defined({
    callsPerIteration: values["limits.calls_per_iteration"],
    iterationsPerTurn: values["limits.iterations_per_turn"],
    iterationsWithoutProgress: values["limits.iterations_without_progress"],
    callsPerMinute: values["limits.calls_per_minute"],
    commandsPerTurn: values["limits.commands_per_turn"],
    bytesWrittenPerTurn: values["limits.bytes_written_per_turn"],
    besideSeconds: values["limits.beside_seconds"],
  });
}

/** Returns the shares of the context window in percent, with the defaults for those that the settings do not set. */
export function sharesOf(values: ConfigValues): WindowShares {
  return {
    ...defaultShares,
    ...defined({
      systemPrompt: values["shares.system_prompt"],
      instructions: values["shares.instructions"],
      tools: values["shares.tools"],
      result: values["shares.result"],
      reply: values["shares.reply"],
    }),
  };
}

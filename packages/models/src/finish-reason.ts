/** Reads how an answer ended from the finish reason that its server gives. */
import type { StopReason } from "@localharness/protocol";
import type { Ending } from "./cut-off.ts";

/** What servers and gateways send, in lower case. */
export const endings: ReadonlyMap<string, Ending> = new Map([
  ["stop", "whole"],
  ["end", "whole"],
  ["eos", "whole"],
  ["eos_token", "whole"],
  ["end_turn", "whole"],
  ["stop_sequence", "whole"],
  ["complete", "whole"],
  ["tool_calls", "whole"],
  ["tool_use", "whole"],
  ["function_call", "whole"],
  ["length", "at-limit"],
  ["max_tokens", "at-limit"],
  ["model_length", "at-limit"],
]);

/** Returns how the answer ended: `early` if the finish reason is unknown, as a call may have been cut off then. */
export function endingOf(finish: string): Ending {
  return endings.get(finish.toLowerCase()) ?? "early";
}

/** The stop reason of an answer without calls. */
export const stopReasons: Readonly<Record<Ending, StopReason>> = {
  whole: "stop",
  "at-limit": "length",
  early: "other",
};

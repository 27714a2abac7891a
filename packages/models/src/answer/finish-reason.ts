/** Reads how an answer ended from the finish reason that its server gives. */
import type { StopReason } from "@localharness/protocol";
import type { Ending } from "./cut-off.ts";

/** What servers and gateways send, in lower case. */
export const endings: ReadonlyMap<string, Ending> = new Map([
  ["stop", "whole"],
  ["end", "whole"],
  ["eos", "whole"],
  ["eos_token", "whole"],
  ["eos_found", "whole"],
  ["stop_token", "whole"],
  ["end_of_turn", "whole"],
  ["end_turn", "whole"],
  ["stop_sequence", "whole"],
  ["complete", "whole"],
  ["completed", "whole"],
  ["done", "whole"],
  ["finished", "whole"],
  ["tool_calls", "whole"],
  ["tool_call", "whole"],
  ["tool_use", "whole"],
  ["function_call", "whole"],
  ["length", "at-limit"],
  ["max_tokens", "at-limit"],
  ["max_output_tokens", "at-limit"],
  ["max_length", "at-limit"],
  ["model_context_window_exceeded", "at-limit"],
  ["model_length", "at-limit"],
]);

/** Returns how the answer ended: `early` if the finish reason is unknown, as a call may have been cut off then. */
export function endingOf(finish: string): Ending {
  return endings.get(finish.toLowerCase()) ?? "early";
}

/** Returns the server's word for an end that is neither normal nor a limit of length; undefined for any other end. */
export function oddEnd(finish: string): string | undefined {
  return endingOf(finish) === "early" ? finish : undefined;
}

/** Returns true if the word says that the server failed or broke off, so that an empty answer may be asked for again. */
export function isServerEnd(finish: string): boolean {
  return /error|fail|abort|cancel|interrupt|network|overload|resource|timeout|unload|malformed/i.test(finish);
}

/** The stop reason of an answer without calls. */
export const stopReasons: Readonly<Record<Ending, StopReason>> = {
  whole: "stop",
  "at-limit": "length",
  early: "other",
};

/** The exit codes of the program. */
import type { TurnEnd } from "@localharness/engine";

export const exitCodes = {
  done: 0,
  error: 1,
  usage: 2,
  limit: 3,
  denied: 4,
  /** The answer does not follow the schema. */
  schema: 5,
  /** The same code as that of the command `timeout`. */
  timeout: 124,
  interrupted: 130,
} as const;

/** Returns the exit code for the last turn of a run without a person. */
export function exitCodeOf(end: TurnEnd): number {
  switch (end.reason) {
    case "error":
      return exitCodes.error;
    case "interrupted":
      return exitCodes.interrupted;
    case "iteration-limit":
    case "loop":
      return exitCodes.limit;
    case "done":
      return end.denied > 0 ? exitCodes.denied : exitCodes.done;
  }
}

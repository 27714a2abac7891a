/** What the program tells the shell about a run. */
import type { TurnEnd } from "@localharness/engine";

export const exitCodes = {
  done: 0,
  error: 1,
  usage: 2,
  limit: 3,
  denied: 4,
  /** The answer does not follow the schema. */
  schema: 5,
  /** As the command `timeout` has it. */
  timeout: 124,
  interrupted: 130,
} as const;

/** The exit code of a run in which nobody could be asked again after a denial. */
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

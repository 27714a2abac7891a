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

/** Returns true for a turn whose last answer may be incomplete. */
export function isCutShort({ reason, code }: TurnEnd): boolean {
  return reason === "done" && (code === "cut-at-limit" || code === "cut-short");
}

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
      if (end.code === "cut-at-limit") return exitCodes.limit;
      if (end.code === "cut-short" || end.code === "empty-answer") return exitCodes.error;
      return end.denied > 0 ? exitCodes.denied : exitCodes.done;
  }
}

/** Decides who answers permission requests in a run: the `--answer` option, the person at the terminal, or nobody. */
import type { PermissionAnswer } from "@localharness/protocol";
import { type FlagValues, textFlag } from "../arguments/parse.ts";
import type { TextOutput } from "../terminal/output.ts";
import type { AskPermission } from "./answer-requests.ts";

/** Returns the answer given with `--answer`. */
export function statedAnswer(flags: FlagValues): PermissionAnswer | undefined {
  return textFlag(flags, "answer") as PermissionAnswer | undefined;
}

/**
 * Returns a function that answers permission requests: always with `stated`, or else by asking the person at the terminal.
 * Returns undefined if there is no terminal. The line reader is loaded at the first question.
 */
export function personFor(
  stated: PermissionAnswer | undefined,
  output: TextOutput,
): AskPermission | undefined {
  if (stated !== undefined) return () => Promise.resolve({ answer: stated });
  // stderr is checked first, because reading `process.stdin` opens it, which takes 3 ms.
  if (process.stderr.isTTY !== true || process.stdin.isTTY !== true) return undefined;
  return async (request, signal) => {
    const { openLines } = await import("../terminal/lines.ts");
    const { askPermission } = await import("../terminal/permission-prompt.ts");
    const onInterrupt = () => process.emit("SIGINT");
    const lines = openLines({ input: process.stdin, output: process.stderr, onInterrupt });
    try {
      return await askPermission(request, output, lines, signal);
    } finally {
      lines.close();
      process.stdin.pause();
    }
  };
}

/** Puts the question of a running tool to the person. */
import { secretId } from "../fresh-id.ts";
import type { AskForTool } from "../question-elsewhere.ts";
import { type Asker, putRequest } from "./ask-permission.ts";

/**
 * Returns the function through which one running call asks the person about what follows from it, and never about itself. The
 * engine keeps no answer and decides no later call by one.
 */
export function askForTool(
  callId: string,
  asker: Asker & { questionLock?<T>(ask: () => Promise<T>): Promise<T> },
): AskForTool {
  return async (question, signal) => {
    let isPut = false;
    const ask = async () => {
      if (signal.aborted) return undefined;
      isPut = true;
      const requestId = `permission-${asker.sessionId}-${secretId()}`;
      // The other side keeps no wider answer.
      const { wider: _wider, ...asked } = question;
      const about = { tool: question.toolName, arguments: question.arguments };
      const given = await putRequest({ ...asked, requestId, callId }, asker, signal, about);
      const isKept = await asker.recorder.kept(callId).then(
        () => true,
        () => false,
      );
      return isKept || given?.answer === "deny" ? given : undefined;
    };
    if (signal.aborted) return undefined;
    // A question that still waits for another one ends at once: the tool has ended, and the other one may stay open for long.
    const left = new Promise<undefined>((resolve) => {
      signal.addEventListener("abort", () => (isPut ? undefined : resolve(undefined)), { once: true });
    });
    return await Promise.race([asker.questionLock?.(ask) ?? ask(), left]);
  };
}

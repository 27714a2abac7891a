/** Puts the question of a running tool to the person. */
import { secretId } from "../fresh-id.ts";
import type { AskForTool } from "../question-elsewhere.ts";
import { type Asker, putRequest } from "./ask-permission.ts";

/**
 * Returns the function through which one running call asks the person. The answer holds for this call only and gives no
 * permission in this session.
 */
export function askForTool(
  callId: string,
  asker: Asker & { questionLock?<T>(ask: () => Promise<T>): Promise<T> },
): AskForTool {
  return async (question, signal) => {
    const ask = async () => {
      if (signal.aborted) return undefined;
      const requestId = `permission-${asker.sessionId}-${secretId()}`;
      return await putRequest({ ...question, requestId, callId }, asker, signal);
    };
    return await (asker.questionLock?.(ask) ?? ask());
  };
}

/** Explains from the end of an answer why the arguments of a call are incomplete. */

/**
 * How an answer ended: by the model's own decision (`whole`), at a limit of its length (`at-limit`), or for another reason
 * (`early`). In the last two cases it may have ended inside a call.
 */
export type Ending = "whole" | "at-limit" | "early";

/**
 * Returns a message for the model if the call was cut off. Returns undefined if the answer is whole or the arguments
 * are JSON.
 */
export function cutOff(name: string, argumentsText: string, ending: Ending): string | undefined {
  if (ending === "whole" || isJson(argumentsText)) return undefined;
  return ending === "at-limit"
    ? `The answer reached its length limit inside the arguments of ${name}; nothing was run. Do it in smaller steps.`
    : `The answer was ended early, inside the arguments of ${name}; nothing was run. Write the call again.`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

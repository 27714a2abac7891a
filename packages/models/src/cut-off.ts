/** Explains why the arguments of a call are incomplete, from how the answer ended. */

/** The end of an answer: by the model's own decision, at the output limit, or early, possibly inside a call. */
export type Ending = "whole" | "at-limit" | "early";

/** Returns a message for the model if the call was cut off; undefined if the answer is whole or the arguments are JSON. */
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

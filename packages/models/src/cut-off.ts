/** What the end of an answer says of a call whose arguments are not whole. */

/** How an answer ended: as the model meant it, at the output limit, or for a reason that may be in the middle of a call. */
export type Ending = "whole" | "at-limit" | "early";

/** Why a call with these arguments did not come whole, for the model; undefined where nothing tells that it was cut off. */
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

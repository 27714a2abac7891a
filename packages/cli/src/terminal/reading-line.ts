/** Prints the progress of the model in reading a long prompt, in few lines, because a printed line cannot be replaced. */
import { promptProgressText, type SessionEvent } from "@localharness/protocol";

/** The minimum number of tokens for which lines are printed; a shorter prompt is read too fast. */
const minTokens = 4_096;
const maxLines = 4;

/** Returns a function that gives the line for an event: at most four for one prompt, one for each quarter. */
export function createReadingLines(): (event: SessionEvent) => string | undefined {
  let shown = -1;
  return (event) => {
    if (event.type === "iteration-start") shown = -1;
    if (event.type !== "prompt-progress") return undefined;
    const { totalTokens, cachedTokens, doneTokens } = event;
    const toRead = totalTokens - cachedTokens;
    if (toRead < minTokens || doneTokens >= totalTokens) return undefined;
    const quarter = Math.floor((maxLines * (doneTokens - cachedTokens)) / toRead);
    if (quarter <= shown) return undefined;
    shown = quarter;
    return promptProgressText(event);
  };
}

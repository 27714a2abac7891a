/** Tells how much of a long prompt the model has read, in few lines, because a printed line cannot be replaced. */
import { phaseText, promptProgressText, type SessionEvent } from "@localharness/protocol";

/** The minimum number of tokens to read. A shorter prompt is read so fast that no lines are printed. */
const minTokens = 4_096;
const maxLines = 4;

/**
 * Returns a function that returns the line to print for an event; undefined if there is none. The loading of a model gets
 * one line, and a long prompt at most four, one for each quarter.
 */
export function createReadingLines(): (event: SessionEvent) => string | undefined {
  let shown = -1;
  return (event) => {
    if (event.type === "iteration-start") shown = -1;
    if (event.type === "model-phase" && event.phase === "loading") return phaseText(event, 0);
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

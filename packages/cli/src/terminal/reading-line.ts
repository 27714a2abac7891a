/** A long prompt that is being read, in a chat line by line: where each line stays, few of them say enough. */
import { promptProgressText, type SessionEvent } from "@localharness/protocol";

/** Fewer tokens than this are read before a line about them is of use. */
const worthALine = 4_096;
const mostLines = 4;

/** The line for an event, at most four for one prompt: the first and then one each quarter. */
export function createReadingLines(): (event: SessionEvent) => string | undefined {
  let shown = -1;
  return (event) => {
    if (event.type === "iteration-start") shown = -1;
    if (event.type !== "prompt-progress") return undefined;
    const { totalTokens, cachedTokens, doneTokens } = event;
    const toRead = totalTokens - cachedTokens;
    if (toRead < worthALine || doneTokens >= totalTokens) return undefined;
    const quarter = Math.floor((mostLines * (doneTokens - cachedTokens)) / toRead);
    if (quarter <= shown) return undefined;
    shown = quarter;
    return promptProgressText(event);
  };
}

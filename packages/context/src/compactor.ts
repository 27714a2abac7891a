/**
 * Makes a prompt shorter with rules alone, without a model. It takes a step only if the prompt is still too long. The system
 * prompt, the person's messages and the notes of the harness (without images) stay. Of an error message the beginning stays,
 * unless the note about folded answers has no room for it.
 */
import { type Compactor, type LeftOut, promptChars, sentMessages } from "@localharness/engine";
import type { ModelMessage, ShortenedResult } from "@localharness/protocol";
import { foldAnswers } from "./fold-answers.ts";
import { shortenNewest, shortenOld } from "./shorten-results.ts";

/** The share of the wanted size for the note about folded answers. Failed calls and open tasks may make the note longer. */
const noteShare = 0.3;

/**
 * Makes the prompt shorter in three steps. First it shortens old results, and results that a later equal call replaced.
 * Then it replaces the old answers and their results with a note. Last it cuts the newest results.
 */
export const compactor: Compactor = {
  compact(whole, before, maxChars, keep) {
    let left = before;
    const charsNow = () => promptChars(sentMessages(whole, left));
    const take = (rows: readonly ShortenedResult[]) => {
      left = { ...left, shortened: { ...left.shortened, ...contentsOf(rows) } };
    };
    take(shortenOld(sentMessages(whole, left), maxChars));
    if (charsNow() > maxChars) {
      const folded = foldAnswers(whole, before.folded?.messages ?? 0, Math.floor(maxChars * noteShare), keep);
      if (folded !== undefined) left = { ...left, folded };
    }
    if (charsNow() > maxChars) take(shortenNewest(sentMessages(whole, left), maxChars));
    return change(whole, before, left);
  },
};

function contentsOf(rows: readonly ShortenedResult[]): Record<string, string> {
  return Object.fromEntries(rows.map(({ callId, content }) => [callId, content]));
}

/** Returns the parts that `after` leaves out in addition to `before`; undefined if there are none. */
function change(whole: readonly ModelMessage[], before: LeftOut, after: LeftOut) {
  const sent = sentMessages(whole, after);
  const shortened = sent.flatMap((message): ShortenedResult[] => {
    if (message.role !== "tool") return [];
    const { toolCallId: callId } = message;
    const content = after.shortened[callId];
    return content === undefined || content === before.shortened[callId] ? [] : [{ callId, content }];
  });
  const isFolded = after.folded !== undefined && after.folded !== before.folded;
  if (shortened.length === 0 && !isFolded) return undefined;
  return isFolded ? { shortened, folded: after.folded } : { shortened };
}

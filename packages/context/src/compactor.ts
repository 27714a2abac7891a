/**
 * Makes a prompt shorter by code, in steps, each only as far as it is needed. System prompt, messages of the person, notes and
 * the beginning of every error message stay.
 */
import { type Compactor, type LeftOut, promptChars, sentMessages } from "@localharness/engine";
import type { ModelMessage, ShortenedResult } from "@localharness/protocol";
import { foldAnswers } from "./fold-answers.ts";
import { shortenNewest, shortenOld } from "./shorten-results.ts";

/** The share of the wanted size that the note about folded answers may take. */
const noteShare = 0.3;

/**
 * First shortens results that a later equal call replaced and old results, then replaces the old answers and their results by
 * a note, then cuts the newest results.
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

/** Returns what `after` leaves out and `before` does not; undefined if that is nothing. */
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

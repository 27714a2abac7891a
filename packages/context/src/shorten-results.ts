/**
 * Shortens tool results. Replaces the texts of the results that the model needs least, and leaves out the middle of the
 * newest results.
 */
import { promptChars } from "@localharness/engine";
import { countText, type ModelMessage, type ShortenedResult } from "@localharness/protocol";
import { type ListedResult, listResults } from "./list-results.ts";
import { writeResult } from "./result-text.ts";

/**
 * A text with at most this many characters stays whole, because the sentence that would replace it is about as long.
 */
const minChars = 300;
/** The number of characters of an error message that are kept. */
const errorChars = 300;
/** The maximum length of the note in the middle of a result. A cut that saves less than this is not made. */
const cutNoteChars = 200;
/** The number of newest results that are shortened last. */
const newestResults = 4;
/**
 * The shares of the wanted size of the prompt that each of the newest results may keep. The second share is used if the
 * first is not enough.
 */
const newestShares = [0.2, 0.05];

/**
 * Returns shorter contents for some results, so that the prompt has at most `maxChars` characters; for all that can be
 * shortened if that is not enough. Results that a later call replaced come first, then old results.
 */
export function shortenOld(messages: readonly ModelMessage[], maxChars: number): readonly ShortenedResult[] {
  const results = listResults(messages);
  const superseded = results.flatMap((result): Candidate[] => {
    const why = whySuperseded(result, results);
    return why === undefined ? [] : [{ result, content: withoutText(result, why) }];
  });
  const old = results.slice(0, -newestResults).map((result) => ({
    result,
    content: withoutText(result, `Call ${result.toolName} again if you need it.`),
  }));
  return choose([...superseded, ...old], promptChars(messages) - maxChars);
}

/**
 * Returns contents with only their beginning and end for some of the newest results, so that the prompt has at most
 * `maxChars` characters; for all that can be cut if that is not enough.
 */
export function shortenNewest(
  messages: readonly ModelMessage[],
  maxChars: number,
): readonly ShortenedResult[] {
  const newest = listResults(messages).slice(-newestResults);
  const cut = newestShares.flatMap((share) => {
    const keep = Math.max(minChars, Math.floor(maxChars * share));
    return newest.map((result) => ({ result, content: cutTo(result, keep) }));
  });
  return choose(cut, promptChars(messages) - maxChars);
}

interface Candidate {
  readonly result: ListedResult;
  /** The content that replaces the content of the result. */
  readonly content: string;
}

/**
 * Returns the first candidates that together save `wanted` characters. Returns all candidates that save something if
 * that is not enough.
 */
function choose(candidates: readonly Candidate[], wanted: number): readonly ShortenedResult[] {
  const chosen = new Map<string, ShortenedResult>();
  let saved = 0;
  for (const { result, content } of candidates) {
    if (saved >= wanted) break;
    const { callId } = result;
    const before = (chosen.get(callId) ?? result).content.length;
    if (content.length >= before) continue;
    chosen.set(callId, { callId, content });
    saved += before - content.length;
  }
  return [...chosen.values()];
}

/** Returns the reason why the model no longer needs a result; undefined if it may still need it. */
function whySuperseded(result: ListedResult, results: readonly ListedResult[]): string | undefined {
  const later = results.slice(results.indexOf(result) + 1);
  if (
    later.some(
      ({ toolName, result: { text } }) => toolName === result.toolName && text === result.result.text,
    )
  ) {
    return "A later call returned the same.";
  }
  // A short later result may only point to this result, and a later failure may only say that the call did not run.
  return later.some(({ call, result: { text } }) => call === result.call && text.length > minChars)
    ? "A later call with the same arguments replaced it."
    : undefined;
}

/** Returns the content with one sentence in place of a long text, and with the beginning of a long error message. */
function withoutText({ content, result }: ListedResult, why: string): string {
  const { text, error } = result;
  if (text.length <= minChars && error.length <= minChars) return content;
  const removed = `[${countText(text.length, "character")} were removed to save room in the context window. ${why}]`;
  const keptError = error.length <= errorChars ? error : `${error.slice(0, errorChars)} [...]`;
  return writeResult(result, text.length <= minChars ? text : removed, keptError);
}

/** Returns the content with only the beginning and the end of the tool's text, together about `keep` characters. */
function cutTo({ content, result, toolName }: ListedResult, keep: number): string {
  const { text, error } = result;
  if (text.length <= keep + cutNoteChars) return content;
  const half = Math.floor(keep / 2);
  const left = countText(text.length - 2 * half, "character");
  const note = `[${left} were left out here, because the result is too long for the context window. Call ${toolName} for a part of it.]`;
  return writeResult(result, `${text.slice(0, half)}\n${note}\n${text.slice(-half)}`, error);
}

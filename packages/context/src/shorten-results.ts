/**
 * Makes a prompt shorter by shortening tool results. It changes nothing else: system prompt, messages of the person, notes,
 * answers and calls stay whole, and so does the beginning of every error message.
 */
import type { Compactor } from "@localharness/engine";
import { countText, type ModelMessage, type ShortenedResult } from "@localharness/protocol";
import { type ListedResult, listResults } from "./list-results.ts";
import { writeResult } from "./result-text.ts";

/** A text that has at most this many characters stays whole, because the sentence instead of it would be as long. */
const minChars = 300;
/** The number of characters that stay of an error message. */
const errorChars = 300;
/** The number of newest results that are shortened last. */
const newestResults = 4;
/** The shares of the prompt's characters that one of the newest results may keep: the second if the first is not enough. */
const newestShares = [0.2, 0.05];

/** Shortens results in three steps, each only as far as it is needed: superseded ones, old ones, the newest ones. */
export const resultCompactor: Compactor = {
  shorten(messages, maxChars) {
    const results = listResults(messages);
    const wanted = charsOf(messages) - maxChars;
    const shortened = new Map<string, ShortenedResult>();
    let saved = 0;
    for (const { result: listed, content } of candidates(results, maxChars)) {
      if (saved >= wanted) break;
      const { callId } = listed;
      const before = (shortened.get(callId) ?? listed).content.length;
      if (content.length >= before) continue;
      shortened.set(callId, { callId, content });
      saved += before - content.length;
    }
    return [...shortened.values()];
  },
};

interface Candidate {
  readonly result: ListedResult;
  /** The content instead of the result's. */
  readonly content: string;
}

/** Yields the results that may be shortened, first those that the model needs least. */
function* candidates(results: readonly ListedResult[], maxChars: number): Generator<Candidate> {
  const old = results.slice(0, -newestResults);
  for (const result of results) {
    const why = whySuperseded(result, results);
    if (why !== undefined) yield { result, content: withoutText(result, why) };
  }
  for (const result of old) {
    yield { result, content: withoutText(result, `Call ${result.toolName} again if you need it.`) };
  }
  for (const share of newestShares) {
    const keep = Math.max(minChars, Math.floor(maxChars * share));
    for (const result of results.slice(-newestResults)) yield { result, content: cutTo(result, keep) };
  }
}

/** Returns the reason why the model no longer needs a result; undefined if it may need it. */
function whySuperseded(result: ListedResult, results: readonly ListedResult[]): string | undefined {
  const later = results.slice(results.indexOf(result) + 1);
  if (
    later.some(
      ({ toolName, result: { text } }) => toolName === result.toolName && text === result.result.text,
    )
  ) {
    return "A later call returned the same.";
  }
  return later.some(({ call }) => call === result.call)
    ? "A later call with the same arguments replaced it."
    : undefined;
}

/** Returns the content with one sentence instead of the tool's text. */
function withoutText({ content, result }: ListedResult, why: string): string {
  const { text, error } = result;
  if (text.length <= minChars && error.length <= minChars) return content;
  const removed = `[${countText(text.length, "character")} were removed to save room in the context window. ${why}]`;
  const keptError = error.length <= errorChars ? error : `${error.slice(0, errorChars)} [...]`;
  return writeResult(result, text.length <= minChars ? text : removed, keptError);
}

/** Returns the content with at most about `keep` characters of the tool's text: its beginning and its end. */
function cutTo({ content, result, toolName }: ListedResult, keep: number): string {
  const { text, error } = result;
  if (text.length <= keep) return content;
  const half = Math.floor(keep / 2);
  const left = countText(text.length - 2 * half, "character");
  const note = `[${left} were left out here, because the result is too long for the context window. Call ${toolName} for a part of it.]`;
  return writeResult(result, `${text.slice(0, half)}\n${note}\n${text.slice(-half)}`, error);
}

function charsOf(messages: readonly ModelMessage[]): number {
  let chars = 0;
  for (const { content } of messages) chars += content.length;
  return chars;
}

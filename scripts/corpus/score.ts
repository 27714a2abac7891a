/** Scores one reply against the expectation of its case. */
import { isDeepStrictEqual } from "node:util";
import { type DetectEvent, type Summary, summarize } from "@localharness/detect";
import type { Case } from "./case.ts";

export interface Score {
  /** True when the names and arguments of all calls are as expected. */
  readonly exact: boolean;
  /** True when a call was found in a reply without calls. */
  readonly invented: boolean;
  /** True if the text is as expected; undefined if the case does not specify it. */
  readonly content: boolean | undefined;
  readonly reasoning: boolean | undefined;
}

export function score(one: Case, events: readonly DetectEvent[]): Score {
  const { calls, text, reasoning } = summarize(events);
  return {
    exact: isExact(one, calls),
    invented: one.kind === "none" && calls.length > 0,
    content: same(one.content, text),
    reasoning: same(one.reasoning, reasoning),
  };
}

function isExact(one: Case, calls: Summary["calls"]): boolean {
  if (calls.length !== one.expected.length) return false;
  return one.expected.every((expected, index) => {
    const found = calls[index];
    if (found?.name !== expected.name) return false;
    if (one.args_asserted !== "partial") return isDeepStrictEqual(found.arguments, expected.arguments);
    const asserted = Object.entries(expected.arguments ?? {});
    return asserted.every(([key, value]) => isDeepStrictEqual(found.arguments[key], value));
  });
}

function same(expected: string | null | undefined, found: string): boolean | undefined {
  return expected === undefined || expected === null ? undefined : expected.trim() === found.trim();
}

/** Scores one reply against what a case expects. */
import { isDeepStrictEqual } from "node:util";
import { type DetectEvent, summarize } from "@localharness/detect";
import type { Case } from "./case.ts";

export interface Score {
  /** Names and arguments of all calls are as expected. */
  readonly exact: boolean;
  /** A call was found where there is none. */
  readonly invented: boolean;
  /** Undefined when the case does not say. */
  readonly content: boolean | undefined;
  readonly reasoning: boolean | undefined;
}

export function score(one: Case, events: readonly DetectEvent[]): Score {
  const { calls, text, reasoning } = summarize(events);
  const found = calls.map((call) => ({ name: call.name, arguments: call.arguments }));
  const expected = one.expected.map((call) => ({ name: call.name, arguments: call.arguments }));
  return {
    exact: isDeepStrictEqual(found, expected),
    invented: one.kind === "none" && found.length > 0,
    content: same(one.content, text),
    reasoning: same(one.reasoning, reasoning),
  };
}

function same(expected: string | null | undefined, found: string): boolean | undefined {
  return expected === undefined || expected === null ? undefined : expected.trim() === found.trim();
}

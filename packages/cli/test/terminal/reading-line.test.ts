/** Checks which progress events of a long prompt are printed as lines of the chat. */
import type { EventBody, SessionEvent } from "@localharness/protocol";
import { expect, test } from "vitest";
import { createReadingLines } from "../../src/terminal/reading-line.ts";

const reading = (doneTokens: number, totalTokens: number, cachedTokens = 0): EventBody => ({
  type: "prompt-progress",
  totalTokens,
  cachedTokens,
  doneTokens,
});

function linesOf(bodies: readonly EventBody[]): string[] {
  const line = createReadingLines();
  const events = bodies.map(
    (body, at): SessionEvent => ({ sessionId: "s", turnId: "t", seq: at + 1, ...body }),
  );
  return events.map(line).filter((one) => one !== undefined);
}

const every2048 = (total: number, cached = 0): EventBody[] => {
  const steps = [];
  for (let done = cached; done < total; done += 2_048) steps.push(reading(done, total, cached));
  return [...steps, reading(total, total, cached)];
};

test.each<{ of: string; events: EventBody[]; lines: string[] }>([
  { of: "a short prompt", events: every2048(3_000), lines: [] },
  { of: "a long one of which the cache holds nearly all", events: every2048(50_000, 48_000), lines: [] },
  { of: "one that was read before the first word", events: [reading(9_000, 9_000)], lines: [] },
  {
    of: "a long prompt",
    events: every2048(40_960, 4_096),
    lines: [
      "reading the prompt: 4,096 of 40,960 tokens, 4,096 from cache",
      "reading the prompt: 14,336 of 40,960 tokens, 4,096 from cache",
      "reading the prompt: 22,528 of 40,960 tokens, 4,096 from cache",
      "reading the prompt: 32,768 of 40,960 tokens, 4,096 from cache",
    ],
  },
  {
    of: "two prompts, one after the other",
    events: [
      { type: "iteration-start", iteration: 1 },
      reading(0, 8_192),
      { type: "iteration-start", iteration: 2 },
      reading(10, 9_000, 10),
    ],
    lines: ["reading the prompt: 0 of 8,192 tokens", "reading the prompt: 10 of 9,000 tokens, 10 from cache"],
  },
])("$of", ({ events, lines }) => {
  expect(linesOf(events)).toEqual(lines);
});

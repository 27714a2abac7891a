/** Checks that an event costs the same however long the session is. */
import { createTimeline, type Timeline } from "@localharness/protocol";
import { expect, test } from "vitest";
import { growth } from "../../../../test/measures.ts";
import { begin, iteration, number, retry, text } from "./bodies.ts";

function filled(items: number): Timeline {
  const timeline = createTimeline();
  const notices = Array.from({ length: items }, () => retry);
  for (const event of number([...notices, iteration])) timeline.take(event);
  return timeline;
}

/** Returns work that adds a text of 100,000 deltas to a timeline. Reads the list as often as a screen draws. */
function manyDeltas(items: number): () => void {
  const timeline = filled(items);
  const deltas = number(
    Array.from({ length: 100_000 }, () => text("word ")),
    20_000,
  );
  const [stop] = number([{ type: "answer-restart" }]);
  return () => {
    for (const [at, event] of deltas.entries()) {
      timeline.take(event);
      if (at % 1_000 === 0) timeline.items();
    }
    expect(timeline.items()).toHaveLength(items + 1);
    if (stop !== undefined) timeline.take(stop);
  };
}

/** Returns work that begins 2,000 calls and takes each back. */
function manyWithdrawn(items: number): () => void {
  const timeline = filled(items);
  const events = Array.from({ length: 2_000 }, (_, index) => {
    return number([begin(`c${index}`, index), { type: "tool-call-withdrawn", index }]);
  }).flat();
  return () => {
    for (const event of events) timeline.take(event);
    expect(timeline.items()).toHaveLength(items);
  };
}

test.each([
  ["the deltas of an answer", manyDeltas],
  ["calls that are taken back", manyWithdrawn],
])("%s cost the same after 100 items and after 10,000", async (_what, work) => {
  expect(await growth(work(100), work(10_000), 4)).toBeLessThan(4);
});

/** Checks what is counted of the prompts of each turn. */
import type { EventBody, SessionEvent } from "@localharness/protocol";
import { expect, test } from "vitest";
import { createReuseMeter } from "../../src/host/reuse-meter.ts";

function play(bodies: readonly (readonly [string, EventBody])[]) {
  const meter = createReuseMeter();
  for (const [index, [turnId, body]] of bodies.entries()) {
    meter.take({ sessionId: "s", turnId, seq: index + 1, ...body } as SessionEvent);
  }
  return meter.turns();
}

test("the counts of the server are added up for each turn", () => {
  const compaction: EventBody = { type: "compaction", shortened: [], charsBefore: 9, charsAfter: 4 };
  expect(
    play([
      ["turn-1", { type: "usage", inputTokens: 1_000, cachedTokens: 0 }],
      ["turn-1", { type: "usage", inputTokens: 1_200, cachedTokens: 1_000 }],
      ["turn-2", compaction],
      ["turn-2", { type: "usage", inputTokens: 700 }],
      ["turn-2", { type: "usage", outputTokens: 7 }],
      ["", { type: "usage", inputTokens: 5_000 }],
    ]),
  ).toEqual([
    { turnId: "turn-1", requests: 2, inputTokens: 2_200, cachedTokens: 1_000, compactions: 0 },
    { turnId: "turn-2", requests: 1, inputTokens: 700, compactions: 1 },
  ]);
});

test("only the last ten turns are kept", () => {
  const turns = play(
    Array.from({ length: 15 }, (_, index) => [`turn-${index}`, { type: "usage", inputTokens: 1 }] as const),
  );
  expect(turns.map(({ turnId }) => turnId)).toEqual(
    Array.from({ length: 10 }, (_, index) => `turn-${index + 5}`),
  );
});

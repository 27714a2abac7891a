import { expect, test } from "vitest";
import type { Model } from "../../src/index.ts";
import { createReadingPace } from "../../src/turn/reading-pace.ts";

const model = (readsPerSecond?: number): Model => ({
  name: "m",
  provider: "p",
  stream: async function* () {},
  ...(readsPerSecond === undefined ? {} : { readsPerSecond }),
});

test("without a measurement only the tokens are known", () => {
  expect(createReadingPace().expect(model(), 4_000.4)).toEqual({ tokens: 4_000 });
});

test("a speed that was measured before is used at once", () => {
  expect(createReadingPace().expect(model(200), 4_000)).toEqual({ tokens: 4_000, expectedMs: 20_000 });
});

test("the speed of the last long prompt is used, and what is in the cache is not read again", () => {
  const pace = createReadingPace();
  const one = model();
  pace.expect(one, 4_000);
  pace.learn({ type: "usage", inputTokens: 4_000, outputTokens: 100 }, 8_000);
  expect(pace.expect(one, 5_100)).toEqual({ tokens: 1_000, expectedMs: 2_000 });
});

test("the server's own count of cached tokens goes before the estimate", () => {
  const pace = createReadingPace();
  const one = model();
  pace.expect(one, 4_000);
  pace.learn({ type: "usage", inputTokens: 4_000, cachedTokens: 3_000 }, 1_000);
  expect(pace.expect(one, 5_000)).toEqual({ tokens: 1_000, expectedMs: 1_000 });
});

test("a prompt that was made shorter is read as a whole", () => {
  const pace = createReadingPace();
  const one = model(100);
  pace.expect(one, 8_000);
  pace.learn({ type: "usage", inputTokens: 8_000 }, undefined);
  expect(pace.expect(one, 3_000)).toEqual({ tokens: 3_000, expectedMs: 30_000 });
});

test("a short prompt, and a time that the server spent on loading, measure nothing", () => {
  const pace = createReadingPace();
  const one = model(100);
  pace.expect(one, 200);
  pace.learn({ type: "usage", inputTokens: 200 }, 1);
  pace.expect(one, 5_000);
  pace.learn({ type: "usage", inputTokens: 5_000 }, undefined);
  expect(pace.expect(one, 6_000)).toEqual({ tokens: 1_000, expectedMs: 10_000 });
});

test("another model starts anew", () => {
  const pace = createReadingPace();
  pace.expect(model(100), 4_000);
  pace.learn({ type: "usage", inputTokens: 4_000 }, 1_000);
  expect(pace.expect(model(), 5_000)).toEqual({ tokens: 5_000 });
});

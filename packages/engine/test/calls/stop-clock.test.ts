/** Limits of time that stand still. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStopClock, type StopClock } from "../../src/calls/stop-clock.ts";

let now = 0;
beforeEach(() => {
  now = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function pass(ms: number): Promise<void> {
  now += ms;
  await vi.advanceTimersByTimeAsync(ms);
}

function wait(clock: StopClock): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const ended = clock.apart(() => promise);
  return async () => {
    resolve();
    await ended;
  };
}

function limited(ms: number) {
  const clock = createStopClock(() => now);
  const over: number[] = [];
  const end = clock.begin(ms, () => over.push(now));
  return { clock, over, end };
}

test("a limit is over after its time, once", async () => {
  const { over } = limited(100);
  await pass(99);
  expect(over).toEqual([]);
  await pass(1000);
  expect(over).toHaveLength(1);
});

test("time that passes during waits does not count, also if they overlap", async () => {
  const { clock, over } = limited(100);
  await pass(40);
  const first = wait(clock);
  await pass(10_000);
  const second = wait(clock);
  await first();
  await pass(10_000);
  await second();
  await pass(59);
  expect(over).toEqual([]);
  await pass(1);
  expect(over).toHaveLength(1);
});

test("a limit that begins during a wait counts from its end", async () => {
  const clock = createStopClock(() => now);
  const go = wait(clock);
  const over: number[] = [];
  clock.begin(100, () => over.push(now));
  await pass(10_000);
  await go();
  await pass(99);
  expect(over).toEqual([]);
  await pass(1);
  expect(over).toHaveLength(1);
});

test("a limit that has ended is never over, and no wait begins it again", async () => {
  const { clock, over, end } = limited(100);
  end();
  await wait(clock)();
  await pass(1000);
  expect(over).toEqual([]);
});

test("a limit without an end is never over, although no timer can be that long", async () => {
  const { over } = limited(Number.POSITIVE_INFINITY);
  await pass(1_000_000);
  expect(over).toEqual([]);
});

test("a wait that fails fails for its caller, and the time goes on", async () => {
  const { clock, over } = limited(100);
  await expect(clock.apart(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await pass(100);
  expect(over).toHaveLength(1);
});

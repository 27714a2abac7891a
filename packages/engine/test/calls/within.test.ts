/** Optional work never delays anything longer than its limit. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { within } from "../../src/calls/within.ts";

afterEach(() => {
  vi.useRealTimers();
});

const never = new AbortController().signal;

describe("within a limit", () => {
  test("work that is in time gives its result, and leaves no timer", async () => {
    vi.useFakeTimers();
    expect(await within(10, never, async () => "done")).toBe("done");
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each<readonly [string, () => Promise<string>]>([
    ["rejects", () => Promise.reject(new Error("no"))],
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
  ])("work that %s gives nothing", async (_title, work) => {
    expect(await within(10, never, work)).toBeUndefined();
  });

  test("work that is late is told so and gives nothing", async () => {
    vi.useFakeTimers();
    let told: AbortSignal | undefined;
    const result = within(10, never, (signal) => {
      told = signal;
      return new Promise(() => undefined);
    });
    await vi.advanceTimersByTimeAsync(10);
    expect(await result).toBeUndefined();
    expect(told?.aborted).toBe(true);
  });

  test.each(["before", "meanwhile"])("an interrupt %s ends it at once", async (when) => {
    const interrupt = new AbortController();
    if (when === "before") interrupt.abort();
    const result = within(60_000, interrupt.signal, () => new Promise(() => undefined));
    interrupt.abort();
    expect(await result).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import { defaultRetryPolicy, readRetryAfter, wait, waitBefore } from "../../src/http/retry.ts";

const now = Date.parse("2026-01-01T00:00:00Z");

describe("readRetryAfter", () => {
  it.each([
    ["3", 3000],
    ["0.5", 500],
    ["0", 0],
    ["Thu, 01 Jan 2026 00:00:10 GMT", 10_000],
    ["Thu, 01 Jan 2025 00:00:10 GMT", undefined],
    ["-5", undefined],
    ["later", undefined],
    ["", undefined],
    [undefined, undefined],
    ["1e400", Number.POSITIVE_INFINITY],
  ])("reads %j as %j ms", (value, ms) => {
    expect(readRetryAfter(value, now)).toBe(ms);
  });
});

describe("waitBefore", () => {
  it.each([
    { attempt: 1, asked: undefined, random: 0.5, ms: 500 },
    { attempt: 2, asked: undefined, random: 0.5, ms: 1000 },
    { attempt: 3, asked: undefined, random: 0, ms: 1500 },
    { attempt: 3, asked: undefined, random: 1, ms: 2500 },
    { attempt: 20, asked: undefined, random: 0.5, ms: 60_000 },
    { attempt: 1, asked: 7000, random: 0.5, ms: 7000 },
    { attempt: 1, asked: Number.POSITIVE_INFINITY, random: 0.5, ms: 60_000 },
  ])("is $ms ms at try $attempt, asked for $asked", ({ attempt, asked, random, ms }) => {
    expect(waitBefore(defaultRetryPolicy, attempt, asked, () => random)).toBe(ms);
  });
});

describe("wait", () => {
  it("resolves to true when its time is over", async () => {
    expect(await wait(1, new AbortController().signal)).toBe(true);
  });

  it("resolves to false as soon as the signal aborts, or if it is already aborted", async () => {
    const controller = new AbortController();
    const waiting = wait(60_000, controller.signal);
    controller.abort();
    expect(await waiting).toBe(false);
    expect(await wait(60_000, controller.signal)).toBe(false);
  });
});

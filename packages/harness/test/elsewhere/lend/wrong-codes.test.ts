import { describe, expect, test } from "vitest";
import { createWrongCodes } from "../../../src/elsewhere/lend/wrong-codes.ts";

describe("wrong codes", () => {
  test("double the wait of their machine up to a minute, and leave others alone", () => {
    let time = 0;
    const codes = createWrongCodes(() => time);
    const waits = Array.from({ length: 9 }, () => {
      const { waitMs } = codes.note("192.0.2.7");
      expect(codes.waitOf("192.0.2.7")).toBe(waitMs);
      expect(codes.waitOf("192.0.2.8")).toBe(0);
      time += waitMs;
      expect(codes.waitOf("192.0.2.7")).toBe(0);
      return waitMs / 1_000;
    });
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  test.each([
    ["::ffff:192.0.2.7", "192.0.2.7", true],
    ["2001:db8:1:2::5", "2001:db8:1:2:aaaa::6", true],
    ["2001:db8:1:2::5", "2001:db8:1:3::5", false],
    ["2001:db8::1:2:3:4:5", "2001:db8:0:1::9", true],
    ["fe80::1%eth0", "fe80::2%eth0", true],
    ["::1", "127.0.0.1", false],
  ])("from %s and %s are of one machine: %s", (one, other, isSame) => {
    const codes = createWrongCodes(() => 0);
    codes.note(one);
    expect(codes.waitOf(other) > 0).toBe(isSame);
  });

  test("of more machines than are remembered forget the oldest first", () => {
    const codes = createWrongCodes(() => 0);
    for (let index = 0; index <= 1_000; index += 1) codes.note(`10.0.${index >> 8}.${index & 255}`);
    expect(codes.waitOf("10.0.0.0")).toBe(0);
    expect(codes.waitOf("10.0.0.1")).toBe(1_000);
  });
});

import { expect, test } from "vitest";
import { humanSize, isoLocal, localMinute, printableName } from "../src/show.ts";

test.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1536, "1.5 KB"],
  [150 * 1024, "150 KB"],
  [5 * 1024 * 1024, "5.0 MB"],
  [3 * 1024 ** 3, "3.0 GB"],
])("%d bytes are %s", (bytes, text) => {
  expect(humanSize(bytes)).toBe(text);
});

test("times are local, and name their offset where it matters", () => {
  const time = new Date(2026, 1, 3, 4, 5, 6);
  expect(localMinute(time)).toBe("2026-02-03 04:05");
  expect(isoLocal(time)).toMatch(/^2026-02-03T04:05:06(?:Z|[+-]\d\d:\d\d)$/);
  expect(new Date(isoLocal(time)).getTime()).toBe(time.getTime());
});

test("names stay on one line and keep their direction", () => {
  expect(printableName("a\nb\u001b[31m\u202etxt")).toBe("a\\u000ab\\u001b[31m\\u202etxt");
  expect(printableName("日本 ü.txt")).toBe("日本 ü.txt");
});

import { expect, test } from "vitest";
import { sinceTime } from "../../src/audit/since-time.ts";

const now = Date.parse("2026-11-10T12:00:00");
const cases: readonly (readonly [string, number | undefined])[] = [
  ["30s", now - 30_000],
  ["90m", now - 5_400_000],
  ["12h", now - 43_200_000],
  ["7d", now - 604_800_000],
  ["2w", now - 1_209_600_000],
  ["2026-11-01", Date.parse("2026-11-01T00:00:00")],
  ["2026-11-01T08:30:00Z", Date.UTC(2026, 10, 1, 8, 30)],
  ["2026-13-01", undefined],
  ["yesterday", undefined],
  ["", undefined],
  ["-1h", undefined],
  ["1", undefined],
  ["1234567h", undefined],
];

test.each(cases)("%j is %s", (text, time) => {
  expect(sinceTime(text, now)).toBe(time);
});

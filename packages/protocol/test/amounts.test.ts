/** Checks how sizes, times and counts are formatted for people. */
import { agoText, countText, sizeText, timeText } from "@localharness/protocol";
import { expect, test } from "vitest";

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1.0 KB"],
  [999_940, "999.9 KB"],
  [999_960, "1.0 MB"],
  [1_500_000, "1.5 MB"],
  [999_960_000, "1.0 GB"],
  [4_700_000_000, "4.7 GB"],
])("%i bytes are %s", (bytes, said) => {
  expect(sizeText(bytes)).toBe(said);
});

test.each([
  [0, "0 messages"],
  [1, "1 message"],
  [12, "12 messages"],
])("%i of them are %s", (count, said) => {
  expect(countText(count, "message")).toBe(said);
});

test.each([
  [0, "0 ms"],
  [999, "999 ms"],
  [999.6, "1.0 s"],
  [1_000, "1.0 s"],
  [59_900, "59.9 s"],
  [59_960, "1 min 0 s"],
  [119_700, "2 min 0 s"],
  [3_661_000, "61 min 1 s"],
])("%d ms are %s", (ms, said) => {
  expect(timeText(ms)).toBe(said);
});

test.each([
  [0, "just now"],
  [119_000, "1 min ago"],
  [7_200_000, "2 h ago"],
  [48 * 3_600_000, "2 days ago"],
])("%i ms are %s", (ms, said) => {
  expect(agoText(ms)).toBe(said);
});

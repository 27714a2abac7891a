/** Checks how sizes, times and counts are formatted for people. */
import { agoText, countText, phaseText, sizeText, timeText } from "@localharness/protocol";
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

test("a noun may have a plural of its own", () => {
  expect([1, 2].map((count) => countText(count, "entry", "entries"))).toEqual(["1 entry", "2 entries"]);
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

test.each([
  { phase: { phase: "connecting", atMs: 0 }, ms: 900, text: "connecting to the server" },
  { phase: { phase: "loading", atMs: 5 }, ms: 0, text: "the server loads the model" },
  { phase: { phase: "reading", atMs: 5 }, ms: 9_000, text: "reading the prompt" },
  { phase: { phase: "reading", atMs: 5, tokens: 12_000 }, ms: 9_000, text: "reading the prompt" },
  { phase: { phase: "reading", atMs: 5, tokens: 90, expectedMs: 300 }, ms: 100, text: "reading the prompt" },
  {
    phase: { phase: "reading", atMs: 5, tokens: 12_000, expectedMs: 30_000 },
    ms: 12_000,
    text: "reading the prompt: about 40 % of 12,000 tokens",
  },
  {
    phase: { phase: "reading", atMs: 5, tokens: 12_000, expectedMs: 30_000 },
    ms: 90_000,
    text: "reading the prompt: about 99 % of 12,000 tokens",
  },
  { phase: { phase: "thinking", atMs: 5 }, ms: 1, text: "thinking" },
  { phase: { phase: "writing", atMs: 5 }, ms: 1, text: "answering" },
] as const)("$phase after $ms ms is: $text", ({ phase, ms, text }) => {
  expect(phaseText(phase, ms)).toBe(text);
});

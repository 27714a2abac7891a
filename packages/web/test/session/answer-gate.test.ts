/** Checks when an answer to a question counts. */
import { expect, test } from "vitest";
import { type Gate, refusalOf } from "../../src/session/answer-gate.ts";

const open: Gate = { visibleMs: 1_000, quietMs: 1_000, sawEnd: true, hasText: false };

test.each([
  [{}, { allows: true, by: "key" }, undefined],
  [{}, { allows: true, by: "click" }, undefined],
  [{ visibleMs: 299 }, { allows: true, by: "key" }, "too-soon"],
  [{ visibleMs: 299 }, { allows: false, by: "click" }, "too-soon"],
  [{ quietMs: 299 }, { allows: true, by: "key" }, "too-soon"],
  [{ quietMs: 299 }, { allows: true, by: "click" }, undefined],
  [{ hasText: true }, { allows: true, by: "key" }, "typing"],
  [{ hasText: true }, { allows: false, by: "key" }, "typing"],
  [{ hasText: true }, { allows: true, by: "click" }, undefined],
  [{ sawEnd: false }, { allows: true, by: "key" }, "unseen"],
  [{ sawEnd: false }, { allows: true, by: "click" }, "unseen"],
  [{ sawEnd: false }, { allows: false, by: "click" }, undefined],
] as const)("with %j the answer %j is refused as %j", (change, answer, refusal) => {
  expect(refusalOf({ ...open, ...change }, answer)).toBe(refusal);
});

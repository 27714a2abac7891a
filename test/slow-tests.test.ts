/** Checks the lists of slow tests: each names existing files once, and the thirds that CI runs have all of them. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./run-program.ts";
import { browserTests, secondsOf, slowFiles, slowThirds, thirdOn } from "./slow-tests.ts";

test.each([...slowFiles(), ...browserTests])(
  "%s exists, so that no file is left out of all suites",
  (file) => {
    expect(existsSync(join(root, file))).toBe(true);
  },
);

test("each is named once", () => {
  const files = [...slowFiles(), ...browserTests];
  expect([...new Set(files)]).toEqual(files);
});

test("each slow file is in exactly one third", () => {
  const thirds = ["1", "2", "3"].flatMap((third) => slowFiles(third));
  expect(thirds.toSorted()).toEqual(slowFiles().toSorted());
});

test("the thirds take about the same time", () => {
  const seconds = slowThirds().map(secondsOf);
  expect(Math.max(...seconds) / Math.min(...seconds)).toBeLessThan(1.15);
});

test("another third is refused", () => {
  expect(() => slowFiles("4")).toThrow('LOCALHARNESS_THIRD is "4": expected 1, 2 or 3');
});

test.each(["2026-03-01", "2027-12-30", "2028-02-28"])(
  "the three days from %s on have all thirds",
  (first) => {
    const days = [0, 1, 2].map((more) => new Date(Date.parse(first) + more * 86_400_000));
    expect(days.map(thirdOn).toSorted()).toEqual([1, 2, 3]);
  },
);

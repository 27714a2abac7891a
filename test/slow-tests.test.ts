/** Checks that the list of slow tests names existing files, each once. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./run-program.ts";
import { slowTests } from "./slow-tests.ts";

test.each(slowTests)("$file exists, so that no file is left out of both suites", ({ file }) => {
  expect(existsSync(join(root, file))).toBe(true);
});

test("each is named once", () => {
  const files = slowTests.map(({ file }) => file);
  expect([...new Set(files)]).toEqual(files);
});

/** Commands that the person types and that get the terminal. */
import { rmSync } from "node:fs";
import { runPersonsTerminal } from "@localharness/processes/children/run-persons-terminal";
import { expect, test } from "vitest";
import { openBench } from "../bench.ts";

test.each<[string, number | undefined]>([
  ["true", 0],
  ["exit 3", 3],
  ["kill -9 $$", undefined],
])("%s ends with %j", async (command, code) => {
  const { resources } = await openBench();
  expect(await runPersonsTerminal(resources, {}, command)).toBe(code);
});

test("a command that did not run is not said to have run", async () => {
  const { resources, root } = await openBench();
  const long = runPersonsTerminal(resources, {}, `: ${"x".repeat(4_000_000)}`);
  await expect(long).rejects.toThrow("the command could not be started: E2BIG");
  rmSync(root, { recursive: true });
  await expect(runPersonsTerminal(resources, {}, "true")).rejects.toThrow("could not be started: ENOENT");
});

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxTrial, trialProblem } from "../../src/compose/sandbox-trial.ts";

test("without a sandbox the trial says what a command could do, and leaves nothing behind", () => {
  const home = mkdtempSync(join(tmpdir(), "lh-trial-"));
  const output = execFileSync("bash", ["-c", sandboxTrial], {
    encoding: "utf8",
    env: { ...process.env, HOME: home },
  });
  expect(trialProblem(output)).toMatch(/^a command could write to the home folder/);
  expect(readdirSync(home)).toEqual([]);
});

test.each([
  ["ran\nexit code: 0", undefined],
  ["open1\nran\n", "a command could change a setting of the kernel"],
  ["bwrap: setting up uid map: Permission denied", "bwrap: setting up uid map: Permission denied"],
])("%j means %j", (output, problem) => {
  expect(trialProblem(output)).toBe(problem);
});

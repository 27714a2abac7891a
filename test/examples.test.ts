/** Runs the examples without a model server. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);
const root = new URL("..", import.meta.url).pathname;

function example(name: string) {
  return run(process.execPath, [`examples/${name}`], { cwd: root });
}

it("hello-agent lists the folder through a real tool and ends", async () => {
  const { stdout, stderr } = await example("hello-agent.ts");
  expect(stderr).toContain("[Tool: ls]");
  expect(stderr).toContain("turn ended: done");
  expect(stdout).toContain("AGENTS.md");
});

it("custom-format reads a call in a format of its own, and types its arguments", async () => {
  const { stdout } = await example("custom-format.ts");
  expect(stdout).toContain("call read_file { path: 'a.txt', lines: 20 } custom:acme");
  expect(stdout).not.toContain("[[do");
});

it("custom-tool runs a derived tool, types arguments, and explains what cannot be typed", async () => {
  const { stdout } = await example("custom-tool.ts");
  expect(stdout).toContain('"description": "How many sides each die has."');
  expect(stdout).toMatch(/data: '[1-6], [1-6], [1-6]'/);
  expect(stdout).toContain("data: '6.5'");
  expect(stdout).toContain('A correct call has the arguments {"numbers":[1]}');
});

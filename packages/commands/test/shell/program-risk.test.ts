/** No rule may allow all calls of a program that runs other programs, because such a rule would allow everything. */
import { checkRule, type PolicyRule } from "@localharness/engine";
import { expect, test } from "vitest";
import { riskOfProgram } from "../../src/shell/programs/table.ts";

const rule = (decision: PolicyRule["decision"], command: readonly string[]): PolicyRule => ({
  ...{ id: "one", justification: "", decision, command },
});
const problemsOf = (one: PolicyRule) =>
  checkRule(one, riskOfProgram).map(({ key, message }) => `${key}: ${message}`);

test.each([
  "bash",
  "sh",
  "/bin/bash",
  "python3",
  "python3.12",
  "node",
  "node22",
  "perl",
  "awk",
  "sudo",
  "env",
  "nice",
  "timeout",
  "xargs",
  "find",
  "git",
  "npm",
  "make",
  "ssh",
  "docker",
  "eval",
  "curl",
  "PowerShell.exe",
  "BASH",
  ...["rbash", "yash", "nu", "tsx", "ts-node", "gsed", "nodemon", "gfind", "fdfind", "gtimeout", "runuser"],
  ...["valgrind", "hyperfine", "watchexec", "fakeroot", "sshpass", "direnv", "mise", "nix-shell", "pipenv"],
  ...["dc", "bc", "nawk", "ld-linux-x86-64.so.2", "gosu", "setpriv", "xvfb-run", "tini", "view", "octave"],
])("%s is allowed with all its words only", (program) => {
  expect(problemsOf(rule("allow", [program, "*"]))).toEqual([
    expect.stringMatching(/^command: .* is .+: allow it only with all its words, not with "\*"$/),
  ]);
  expect(problemsOf(rule("allow", [program, "x"]))).toEqual([]);
  expect(problemsOf(rule("deny", [program, "*"]))).toEqual([]);
  expect(problemsOf(rule("ask", [program, "*"]))).toEqual([]);
});

test.each(["ls", "tsc", "pytest", "eslint", "wc"])("%s may be allowed with any arguments", (program) => {
  expect(problemsOf(rule("allow", [program, "*"]))).toEqual([]);
});

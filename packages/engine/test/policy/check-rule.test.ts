/** What is wrong with a rule is found when it is loaded. */
import { checkRule, type PolicyRule, type RuleExample } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { rule } from "./ask-about.ts";

const problemsOf = (one: PolicyRule) => checkRule(one).map(({ key, message }) => `${key}: ${message}`);

describe("a rule is refused", () => {
  test.each<readonly [string, PolicyRule, RegExp]>([
    [
      "that allows for a project",
      rule("allow", { origin: "project" }),
      /^decision: a rule of the project can deny and ask, not allow$/,
    ],
    [
      "with a pattern for tools",
      rule("deny", { tool: "mcp__my__server__*" }),
      /^tool: "mcp__my__server__\*" is no tool's name/,
    ],
    ["with an empty tool", rule("deny", { tool: "" }), /^tool: "" is no tool's name/],
    ["for no tools", rule("deny", { tool: [] }), /^tool: the list of tools is empty$/],
    ["for no paths", rule("deny", { path: [] }), /^path: the list of paths is empty$/],
    [
      "with a path that goes up",
      rule("allow", { path: ["src", "../x"] }),
      /^path: the path "\.\.\/x" has "\.\."/,
    ],
    ["with an empty command", rule("deny", { command: [] }), /^command: a command is a list of words/],
    [
      "with a command in one word",
      rule("deny", { command: ["npm test"] }),
      /^command: the first word is the program alone/,
    ],
    [
      "with a star in the middle",
      rule("deny", { command: ["npm", "*", "x"] }),
      /^command: "\*" can only be the last word/,
    ],
    [
      "that allows any command",
      rule("allow", { command: ["*"] }),
      /^command: an allow for any command is no rule/,
    ],
    [
      "with an empty pattern",
      rule("allow", { arguments: { path: { matches: "" } } }),
      /^arguments: the pattern for "path" is empty$/,
    ],
  ])("%s", (_title, one, problem) => {
    expect(problemsOf(one)).toEqual([expect.stringMatching(problem)]);
  });

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
  ])("that allows %s with any arguments", (program) => {
    expect(problemsOf(rule("allow", { command: [program, "*"] }))).toEqual([
      expect.stringMatching(/^command: .* is .+: allow it only with all its words, not with "\*"$/),
    ]);
    expect(problemsOf(rule("allow", { command: [program, "x"] }))).toEqual([]);
    expect(problemsOf(rule("deny", { command: [program, "*"] }))).toEqual([]);
    expect(problemsOf(rule("ask", { command: [program, "*"] }))).toEqual([]);
  });

  test.each(["ls", "tsc", "pytest", "eslint", "wc"])("not that allows %s with any arguments", (program) => {
    expect(problemsOf(rule("allow", { command: [program, "*"] }))).toEqual([]);
  });

  test("with each of its problems", () => {
    expect(
      checkRule(rule("allow", { origin: "project", tool: "a*", path: "", command: [] })).map(
        ({ key }) => key,
      ),
    ).toEqual(["decision", "tool", "path", "command"]);
  });
});

describe("the examples of a rule", () => {
  const denyEnv: Partial<PolicyRule> = { tool: "read_file", path: "**/.env*", access: "read" };
  const env: RuleExample = { paths: [{ path: "app/.env.local", access: "read" }] };
  const source: RuleExample = { paths: [{ path: "src/env.ts", access: "read" }] };
  const npmTest: Partial<PolicyRule> = {
    tool: "bash",
    command: ["npm", "test"],
    mode: "default",
    workspace: "/w",
  };

  test.each<readonly [string, PolicyRule]>([
    [
      "of paths",
      rule("deny", { ...denyEnv, examples: { matches: [env], misses: [source, { ...env, tool: "ls" }] } }),
    ],
    [
      "of commands",
      rule("allow", {
        ...npmTest,
        examples: {
          matches: [{ command: ["npm", "test"] }],
          misses: [
            { command: ["npm", "test", "x"] },
            { command: ["npm", "test"], workspace: "/x" },
            { command: ["npm", "test"], mode: "bypass" },
          ],
        },
      }),
    ],
    [
      "of arguments",
      rule("ask", {
        arguments: { n: 1 },
        examples: { matches: [{ arguments: { n: 1 } }], misses: [{ arguments: { n: 2 } }, {}] },
      }),
    ],
    [
      "of risk and scope",
      rule("ask", {
        risk: "low",
        scope: "s",
        examples: { matches: [{}], misses: [{ risk: "high" }, { scope: "t" }] },
      }),
    ],
    ["that are none", rule("ask", { examples: {} })],
  ])("%s hold", (_title, one) => {
    expect(problemsOf(one)).toEqual([]);
  });

  test("that do not hold are problems", () => {
    const one = rule("deny", { ...denyEnv, examples: { matches: [env, source], misses: [source, env] } });
    expect(problemsOf(one)).toEqual([
      'examples: it does not match its own example: {"paths":[{"path":"src/env.ts","access":"read"}]}',
      'examples: it matches what it must not match: {"paths":[{"path":"app/.env.local","access":"read"}]}',
    ]);
  });
});

/** Mistakes in a rule are found when the rule is loaded. */
import { checkRule, type PolicyRule, type RuleExample } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { riskOf, rule } from "./ask-about.ts";

const problemsOf = (one: PolicyRule) =>
  checkRule(one, riskOf).map(({ key, message }) => `${key}: ${message}`);

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
      /^tool: "mcp__my__server__\*" is not the name of a tool/,
    ],
    ["with an empty tool", rule("deny", { tool: "" }), /^tool: "" is not the name of a tool/],
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

  test("that allows a program with any arguments, where a tool speaks against it", () => {
    expect(problemsOf(rule("allow", { command: ["sh", "*"] }))).toEqual([
      'command: sh is an interpreter: allow it only with all its words, not with "*"',
    ]);
    for (const command of [
      ["sh", "x"],
      ["ls", "*"],
    ])
      expect(problemsOf(rule("allow", { command }))).toEqual([]);
    for (const decision of ["deny", "ask"] as const)
      expect(problemsOf(rule(decision, { command: ["sh", "*"] }))).toEqual([]);
  });

  test("with each of its problems", () => {
    expect(
      checkRule(rule("allow", { origin: "project", tool: "a*", path: "", command: [] }), riskOf).map(
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

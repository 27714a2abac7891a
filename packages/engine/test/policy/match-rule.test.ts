/** The conditions of a rule, each alone and all together. */
import { explain, type PolicyQuestion, type PolicyRule } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { decided, plainQuestion, rule, running, touching } from "./ask-about.ts";

const allow = (more: Partial<PolicyRule>) => [rule("allow", more)];
const no = "ask risk:high";
const yes = "allow allow-rule";

describe("a rule matches", () => {
  test.each<readonly [string, Partial<PolicyRule>, Partial<PolicyQuestion>, string]>([
    ["its tool", { tool: "write_file" }, {}, yes],
    ["one of its tools", { tool: ["ls", "write_file"] }, {}, yes],
    ["any tool", { tool: "*" }, {}, yes],
    ["not a tool whose name begins so", { tool: "write" }, {}, no],
    ["not a tool by a pattern", { tool: "write_*" }, {}, no],
    [
      "not server my__server by a rule for server my",
      { tool: "mcp__my__server__tool" },
      { tool: "mcp__my__server__tool2" },
      no,
    ],
    ["its risk", { risk: "high" }, {}, yes],
    ["one of its risks", { risk: ["low", "high"] }, {}, yes],
    ["not another risk", { risk: ["low", "medium"] }, {}, no],
    ["its mode", { mode: "default" }, {}, yes],
    ["not another mode", { mode: ["plan", "bypass"] }, {}, no],
    ["its workspace and scope", { workspace: "/w", scope: "s" }, { scope: "s" }, yes],
    ["not when one of its conditions fails", { tool: "write_file", risk: "low" }, {}, no],
    ["an argument that is equal", { arguments: { path: "a" } }, {}, yes],
    ["a number and a flag", { arguments: { n: 1, all: true } }, { arguments: { n: 1, all: true } }, yes],
    [
      "an argument that fits a pattern",
      { arguments: { path: { matches: "doc*.md" } } },
      { arguments: { path: "docs/a.md" } },
      yes,
    ],
    ["not an argument that differs", { arguments: { path: "b" } }, {}, no],
    ["not text for a number", { arguments: { n: 1 } }, { arguments: { n: "1" } }, no],
    ["not an argument that is not there", { arguments: { other: { matches: "*" } } }, {}, no],
    ["not what every object has", { arguments: { constructor: { matches: "*" } } }, {}, no],
    [
      "not a pattern for a list",
      { arguments: { path: { matches: "*" } } },
      { arguments: { path: ["a"] } },
      no,
    ],
    [
      "not a command by a pattern for its text",
      { arguments: { command: { matches: "npm *" } } },
      { arguments: { command: "npm x; rm y" }, facts: running("npm x", "rm y") },
      no,
    ],
    [
      "a command by its whole text",
      { arguments: { command: "npm x" } },
      { arguments: { command: "npm x" }, facts: running("npm x") },
      yes,
    ],
  ])("%s", (_title, condition, more, expected) => {
    expect(decided(allow(condition), more)).toBe(expected);
  });

  test("a pattern for a command's text can deny", () => {
    const deny = [rule("deny", { arguments: { command: { matches: "*curl*" } } })];
    expect(decided(deny, { arguments: { command: "a; curl x" }, facts: running("a", "curl x") })).toBe(
      "deny deny-rule",
    );
  });
});

test("an explanation says of each condition why it does not hold", () => {
  const question: PolicyQuestion = {
    ...plainQuestion,
    facts: { ...touching("a"), command: { text: "$x", unclear: "?" } },
  };
  const rules: readonly (readonly [PolicyRule, boolean, string])[] = [
    [rule("allow", { tool: ["ls", "cat"] }), false, "it is for the tool ls, cat"],
    [rule("allow", { risk: ["safe", "low"] }), false, "it is for the risk safe, low"],
    [rule("allow", { mode: "plan" }), false, "it is for the mode plan"],
    [
      rule("deny", { path: ["x", "y/**"], access: "write" }),
      true,
      "it is unknown which files this call touches",
    ],
    [rule("allow", { arguments: { path: { matches: "b*" } } }), false, 'it is for another path: "b*"'],
    [rule("allow", { arguments: { path: 3 } }), false, "it is for another path: 3"],
    [rule("allow", { command: ["npm", "test"] }), false, "it is for the command npm test"],
    [rule("deny", { command: ["rm", "*"] }), true, "it is unknown which programs this command runs"],
    [rule("ask", { tool: "write_file", path: "q" }), true, "it is unknown which files this call touches"],
    [rule("allow", { origin: "project" }), false, "rules of the project can only deny and ask"],
    [rule("ask"), true, "because ask"],
  ];
  const { considered } = explain(
    question,
    rules.map(([one]) => one),
  );
  expect(considered.map(({ rule: one, matched, why }) => [one, matched, why])).toEqual(rules);
});

test.each<readonly [Partial<PolicyRule>, string]>([
  [{ path: ["x", "y/**"], access: "write" }, "it is for x, y/**, to write"],
  [{ access: "write" }, "it is for paths, to write"],
])("an explanation says which paths %j is for", (condition, why) => {
  const { considered } = explain({ ...plainQuestion, facts: touching("a") }, [rule("deny", condition)]);
  expect(considered).toMatchObject([{ matched: false, why }]);
});

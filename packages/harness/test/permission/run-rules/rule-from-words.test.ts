import { describe, expect, test } from "vitest";
import type { Options } from "../../../src/config/options.ts";
import { ruleFromFlags, ruleFromJson } from "../../../src/permission/run-rules/rule-from-words.ts";

describe("a rule of options", () => {
  const rules: readonly (readonly [string, Options, object])[] = [
    ["allow", { tool: "ls" }, { decision: "allow", tool: "ls", justification: "your rule for tool ls" }],
    ["deny", { tool: "ls, bash" }, { decision: "deny", tool: ["ls", "bash"] }],
    ["ask", { path: "a b/**", because: "mine" }, { decision: "ask", path: "a b/**", justification: "mine" }],
    ["deny", { command: "  npm   publish * " }, { decision: "deny", command: ["npm", "publish", "*"] }],
  ];
  test.each(rules)("%s %j", (decision, flags, rule) => {
    expect(ruleFromFlags(decision, flags, undefined)).toMatchObject({
      ...rule,
      id: expect.stringMatching(/^rule:[0-9a-f]{8}$/),
      origin: "user",
      created: expect.any(Number),
    });
  });

  test("holds in one workspace when it is to", () => {
    expect(ruleFromFlags("deny", { tool: "ls" }, "/w")).toMatchObject({ workspace: "/w" });
    expect(ruleFromFlags("deny", { tool: "ls" }, undefined)).not.toHaveProperty("workspace");
  });

  test.each([
    ["forbid", { tool: "ls" }, /expected allow, ask, deny or a rule as JSON, got "forbid"/],
    ["deny", {}, /needs at least one of --tool, --path and --command/],
    ["deny", { because: "x" }, /needs at least one/],
  ])("%s %j is none", (decision, flags: Options, problem) => {
    expect(ruleFromFlags(decision, flags, undefined)).toMatch(problem);
  });
});

describe("a rule of JSON", () => {
  test("gets an id where it has none, and is the person's whatever it says", () => {
    expect(ruleFromJson('{"decision": "deny"}', undefined)).toMatchObject({
      id: expect.stringMatching(/^rule:/),
      decision: "deny",
      origin: "user",
    });
    expect(ruleFromJson('{"id": "mine", "decision": "ask"}', "/w")).toMatchObject({
      id: "mine",
      workspace: "/w",
    });
  });

  test.each([
    ["{", /not valid JSON/],
    ["[]", /a rule must be an object/],
    ['{"id": "x"}', /needs "decision"/],
    ['{"decision": "deny", "origin": "built-in"}', /unknown key "origin"/],
    ['{"decision": "deny", "decision": "allow"}', /"decision" occurs twice/],
    ['{"decision": "deny", "path": 1}', /"path" expects a glob/],
  ])("%s is none", (text, problem) => {
    expect(ruleFromJson(text, undefined)).toMatch(problem);
  });
});

/** Checks how the text of policies.json is parsed: valid, from a later version, or damaged. */
import type { PolicyRule } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { readPolicyText, writePolicyText } from "../../src/policy-file/policy-rules.ts";

const rule = {
  id: "a",
  decision: "allow",
  justification: "you chose Remember",
  tool: "ls",
  workspace: "/w",
  created: 1,
} as const;

const everyCondition: PolicyRule = {
  id: "remembered:b",
  decision: "deny",
  justification: "",
  tool: ["read_file", "grep_search"],
  arguments: { path: { matches: "*.key" }, limit: 3 },
  path: ["secrets/**", "*.pem"],
  ignoreCase: true,
  access: "read",
  command: ["npm", "publish", "*"],
  risk: ["medium", "high"],
  mode: "default",
  scope: "x",
  examples: {
    matches: [{ tool: "read_file", paths: [{ path: "secrets/a", access: "read" }] }],
    misses: [{ command: ["npm", "test"] }],
  },
};

const damaged: [string, string, RegExp][] = [
  ["empty", "", /line 1: expected a value/],
  ["torn", '{"version": 1, "rules": [{"id": "a", "dec', /line 1: /],
  ["another kind", "[]", /expected an object with version and rules/],
  ["no version", '{"rules": []}', /expected "version": 2, got undefined/],
  ["rules of another kind", '{"version": 1,\n"rules": {}}', /line 2: expected "rules"/],
  [
    "an unknown decision",
    '{"version": 1, "rules": [\n{"id": "a", "decision": "alow"}]}',
    /line 2: "decision" expects/,
  ],
  ["no id", '{"version": 1, "rules": [{"decision": "deny"}]}', /needs "id"/],
  [
    "a condition of another kind",
    '{"version": 1, "rules": [{"id": "a", "decision": "allow", "scope": 7}]}',
    /"scope" expects text/,
  ],
  [
    "a condition that is not known",
    '{"version": 1, "rules": [{"id": "a", "decision": "allow", "paths": "x"}]}',
    /unknown key "paths" in a rule. Did you mean path/,
  ],
  [
    "a glob that is no text",
    '{"version": 2, "rules": [{"id": "a", "decision": "deny", "path": ["x", 7]}]}',
    /"path" expects a glob or a list of globs, got \["x",7\]/,
  ],
  [
    "an empty list",
    '{"version": 2, "rules": [{"id": "a", "decision": "deny", "risk": []}]}',
    /"risk" expects a risk or a list of risks/,
  ],
  [
    "an example with a key that is not known",
    '{"version": 2, "rules": [{"id": "a", "decision": "deny", "examples": {"matches": [{"file": "x"}]}}]}',
    /"examples" expects/,
  ],
  ["a key beside the rules", '{"version": 2, "rules": [], "trust": true}', /unknown key "trust"/],
  [
    "the same key twice",
    '{"version": 1, "rules": [{"id": "a", "decision": "deny", "decision": "allow"}]}',
    /occurs twice/,
  ],
  [
    "the same id twice",
    '{"version": 1, "rules": [{"id": "a", "decision": "deny"}, {"id": "a", "decision": "allow"}]}',
    /the id "a" occurs twice/,
  ],
];

describe("readPolicyText", () => {
  test("reads what was written", () => {
    const read = { ...rule, origin: "user" };
    expect(readPolicyText(writePolicyText([rule]))).toEqual({ kind: "value", value: [read] });
    expect(readPolicyText(writePolicyText([{ ...rule, origin: "session" }]))).toEqual({
      kind: "value",
      value: [read],
    });
    const full = { ...everyCondition, origin: "user" };
    expect(readPolicyText(writePolicyText([everyCondition]))).toEqual({ kind: "value", value: [full] });
    expect(readPolicyText(`\ufeff${writePolicyText([])}`)).toEqual({ kind: "value", value: [] });
  });

  test.each(damaged)("a file with %s is damaged", (_what, text, problem) => {
    expect(readPolicyText(text)).toEqual({ kind: "broken", problem: expect.stringMatching(problem) });
  });

  test("what a person chose to remember is told from what was written by hand", () => {
    const text = '{"version": 1, "rules": [{"id": "remember:ls:1", "decision": "allow", "tool": "ls"}]}';
    const read = readPolicyText(text);
    expect(read.kind === "value" ? read.value[0]?.origin : read).toBe("remembered");
    const project = readPolicyText(text, "project");
    expect(project.kind === "value" ? project.value[0]?.origin : project).toBe("project");
  });

  test("a later version is known as such, whatever is in it", () => {
    expect(readPolicyText('{"version": 3, "rules": "elsewhere"}')).toEqual({ kind: "newer", version: 3 });
  });
});

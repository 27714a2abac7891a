/** The text of policies.json: whole and right, from a later version, or damaged. */
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

const damaged: [string, string, RegExp][] = [
  ["empty", "", /line 1: expected a value/],
  ["torn", '{"version": 1, "rules": [{"id": "a", "dec', /line 1: /],
  ["another kind", "[]", /expected an object with version and rules/],
  ["no version", '{"rules": []}', /expected "version": 1, got undefined/],
  ["rules of another kind", '{"version": 1,\n"rules": {}}', /line 2: expected "rules"/],
  [
    "an unknown decision",
    '{"version": 1, "rules": [\n{"id": "a", "decision": "alow"}]}',
    /line 2: "decision" expects/,
  ],
  ["no id", '{"version": 1, "rules": [{"decision": "deny"}]}', /needs an "id"/],
  [
    "a condition of another kind",
    '{"version": 1, "rules": [{"id": "a", "decision": "allow", "scope": 7}]}',
    /"scope" expects text/,
  ],
  [
    "a condition that is not known",
    '{"version": 1, "rules": [{"id": "a", "decision": "allow", "path": "x"}]}',
    /unknown key "path"/,
  ],
  [
    "the same key twice",
    '{"version": 1, "rules": [{"id": "a", "decision": "deny", "decision": "allow"}]}',
    /is there twice/,
  ],
  [
    "the same id twice",
    '{"version": 1, "rules": [{"id": "a", "decision": "deny"}, {"id": "a", "decision": "allow"}]}',
    /the id "a" is there twice/,
  ],
];

describe("readPolicyText", () => {
  test("reads what was written", () => {
    expect(readPolicyText(writePolicyText([rule]))).toEqual({ kind: "value", value: [rule] });
    expect(readPolicyText(`\ufeff${writePolicyText([])}`)).toEqual({ kind: "value", value: [] });
  });

  test.each(damaged)("a file with %s is damaged", (_what, text, problem) => {
    expect(readPolicyText(text)).toEqual({ kind: "broken", problem: expect.stringMatching(problem) });
  });

  test("a later version is known as such, whatever is in it", () => {
    expect(readPolicyText('{"version": 2, "rules": "elsewhere"}')).toEqual({ kind: "newer", version: 2 });
  });
});

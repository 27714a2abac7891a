import type { PolicyRule } from "@localharness/engine";
import { expect, test } from "vitest";
import { ruleLine } from "../../src/policy-file/rule-line.ts";

const base = { id: "x", justification: "" };
const cases: readonly (readonly [PolicyRule, string])[] = [
  [{ ...base, decision: "deny" }, "x  deny  any tool  in every workspace"],
  [{ ...base, decision: "ask", tool: "*" }, "x  ask  any tool  in every workspace"],
  [
    { ...base, decision: "allow", tool: ["ls", "bash"], workspace: "/w", justification: "why not" },
    "x  allow  ls, bash  in /w  (why not)",
  ],
  [
    { ...base, decision: "deny", path: ["a/**", "b"], access: "write", ignoreCase: true },
    "x  deny  any tool  write a/** or b in any case  in every workspace",
  ],
  [{ ...base, decision: "deny", access: "read" }, "x  deny  any tool  read  in every workspace"],
  [
    { ...base, decision: "ask", tool: "bash", command: ["npm", "*"], risk: ["low", "high"], mode: "bypass" },
    "x  ask  bash  command npm *  risk low or high  mode bypass  in every workspace",
  ],
  [
    { ...base, decision: "allow", arguments: { path: { matches: "a*" } }, scope: "exactly\nthis\u202e" },
    'x  allow  any tool  arguments {"path":{"matches":"a*"}}  exactly: exactly\\nthis\\u202e  in every workspace',
  ],
];

test.each(cases)("a rule on one line: %j", (rule, line) => {
  expect(ruleLine(rule)).toBe(line);
});

/** Checks that the JSON Schema for editors accepts the same values as the parser. */
import { expect, test } from "vitest";
import { z } from "zod";
import { policyVersion, readPolicyText } from "../../src/policy-file/policy-rules.ts";
import { policySchema, ruleFields } from "../../src/policy-file/rule-fields.ts";

const schema = z.fromJSONSchema(policySchema(policyVersion) as Parameters<typeof z.fromJSONSchema>[0]);

const values: readonly (readonly [string, unknown])[] = [
  ["decision", "deny"],
  ["decision", "maybe"],
  ["tool", "ls"],
  ["tool", ["ls", "bash"]],
  ["tool", 7],
  ["arguments", { path: "a", limit: 3, deep: true }],
  ["arguments", { path: { matches: "a*" } }],
  ["arguments", { path: { matches: "a*", more: 1 } }],
  ["arguments", { path: null }],
  ["path", "src/**"],
  ["path", false],
  ["ignoreCase", true],
  ["ignoreCase", "true"],
  ["access", "write"],
  ["access", "run"],
  ["command", ["npm", "test"]],
  ["command", "npm test"],
  ["command", []],
  ["risk", ["low", "high"]],
  ["risk", "extreme"],
  ["mode", "plan"],
  ["mode", "yolo"],
  ["workspace", "/w"],
  ["scope", 3],
  ["created", 1],
  ["created", "now"],
  ["examples", { matches: [{ tool: "ls" }], misses: [] }],
  ["examples", { matches: [{ paths: [{ path: "a", access: "read" }] }] }],
  ["examples", { matches: [{ paths: [{ path: "a" }] }] }],
  ["examples", { hits: [] }],
  ["colour", "red"],
];

test.each(values)("%s: %j is judged alike by the schema and by the reader", (key, value) => {
  const file = { version: policyVersion, rules: [{ id: "a", decision: "ask", [key]: value }] };
  expect(readPolicyText(JSON.stringify(file)).kind === "value").toBe(schema.safeParse(file).success);
});

test("every field is described", () => {
  for (const field of ruleFields) expect(field.about.length, field.key).toBeGreaterThan(10);
});

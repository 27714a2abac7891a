/** The keys of call objects. */
import { expect, test } from "vitest";
import { keyRole, maxKey } from "../../src/call/call-keys.ts";

test.each([
  ["name", "name"],
  ["tool_name", "name"],
  ["arguments", "arguments"],
  ["tool_arguments", "arguments"],
  ["function", "wrapper"],
  ["function_calls", "calls"],
  ["tool_call_id", "id"],
  ["explanation", "beside"],
  ["path", "unknown"],
  ["constructor", "unknown"],
  ["__proto__", "unknown"],
])("%s is %s", (key, role) => {
  expect(keyRole(key)).toBe(role);
});

test("a key that is longer than the longest is unknown", () => {
  expect(keyRole("recipient_name".padEnd(maxKey + 1, "_"))).toBe("unknown");
});

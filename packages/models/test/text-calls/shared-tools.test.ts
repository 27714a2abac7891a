/** Checks that equal lists of tools share what the detector prepares, and that other lists do not. */
import type { ToolDefinition } from "@localharness/engine";
import { expect, test } from "vitest";
import { sharedTools } from "../../src/text-calls/shared-tools.ts";

const tools = (name: string, type = "string"): ToolDefinition[] => [
  { name, description: "Reads.", parameters: { type: "object", properties: { path: { type } } } as never },
];

test("equal tools of two sessions give the same list", () => {
  expect(sharedTools(tools("read"))).toBe(sharedTools(tools("read")));
});

test("another name, or another schema, gives another list", () => {
  expect(sharedTools(tools("write"))).not.toBe(sharedTools(tools("read")));
  expect(sharedTools(tools("read", "integer"))).not.toBe(sharedTools(tools("read")));
});

test("a tool that its owner changes changes no kept list", () => {
  const own = tools("edit");
  const shared = sharedTools(own);
  Object.assign(own[0]?.parameters ?? {}, { type: "array" });
  expect(shared[0]?.parameters).toMatchObject({ type: "object" });
  expect(sharedTools(own)).not.toBe(shared);
});

test("many lists do not all stay in memory", () => {
  const first = sharedTools(tools("first"));
  for (let at = 0; at < 40; at += 1) sharedTools(tools(`other-${at}`));
  expect(sharedTools(tools("first"))).not.toBe(first);
});

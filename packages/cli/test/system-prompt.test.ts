/** The system prompt is short and always the same. */
import { expect, test } from "vitest";
import { systemPrompt } from "../src/system-prompt.ts";

test("it is below 1 KB and the same bytes for the same workspace", () => {
  const prompt = systemPrompt("/home/person/projects/example", "linux");
  expect(Buffer.byteLength(prompt)).toBeLessThan(1_000);
  expect(systemPrompt("/home/person/projects/example", "linux")).toBe(prompt);
  expect(prompt).toContain("Workspace: /home/person/projects/example (Linux).");
});

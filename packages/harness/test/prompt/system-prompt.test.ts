/** Checks that the system prompt is short and always the same. */
import { expect, test } from "vitest";
import { systemPrompt } from "../../src/prompt/system-prompt.ts";

test("it is below 1 KB and the same bytes for the same workspace", () => {
  const prompt = systemPrompt("/home/person/projects/example", "linux");
  expect(Buffer.byteLength(prompt)).toBeLessThan(1_000);
  expect(systemPrompt("/home/person/projects/example", "linux")).toBe(prompt);
  expect(prompt).toMatch(/\nWorkspace: \/home\/person\/projects\/example \(Linux\)\.\n$/);
});

test("two workspaces differ in its last line alone, so that they share a server's cache", () => {
  const [one, other] = ["/a", "/some/where/else"].map((workspace) => systemPrompt(workspace).split("\n"));
  expect(one?.slice(0, -2)).toEqual(other?.slice(0, -2));
  expect(one?.at(-2)).not.toBe(other?.at(-2));
});

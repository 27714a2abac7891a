/** Repairs of native arguments take time in proportion to their length, whatever they hold. */
import { expect, test } from "vitest";
import { growth } from "../../../../test/measures.ts";
import { repairArguments } from "../../src/text-calls/repair-arguments.ts";
import { readTool } from "../test-request.ts";

test.each<[string, (size: number) => string]>([
  ["spaces", (n) => `{"path":"a"${" ".repeat(n)}x`],
  ["special tokens", (n) => `{"path":"a"}${"<|end|>".repeat(n / 7)}x`],
])("%s", async (_title, make) => {
  const repair = (text: string) => () => repairArguments(readTool, text);
  expect(await growth(repair(make(10_000)), repair(make(80_000)), 24)).toBeLessThan(24);
});

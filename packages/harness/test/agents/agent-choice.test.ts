/** Checks which choices of tools offer the tool that starts agents. */
import { expect, test } from "vitest";
import { wantsAgents, withoutAgentTool } from "../../src/agents/agent-choice.ts";

test.each([
  ["all", "yes"],
  ["standard", "when-written"],
  ["ls", "no"],
  ["run_agent", "yes"],
  [["ls", "run_agent"], "yes"],
  [["standard", "-bash"], "when-written"],
  [["-bash"], "when-written"],
  [["all", "-run_agent"], "no"],
  [["standard", "-run_agent"], "no"],
] as const)("%j: %s", (choice, wanted) => {
  expect(wantsAgents(choice)).toBe(wanted);
});

test("the rest of a choice does not name it", () => {
  expect(withoutAgentTool(["all", "run_agent", "-run_agent", "-ls"])).toEqual(["all", "-ls"]);
});

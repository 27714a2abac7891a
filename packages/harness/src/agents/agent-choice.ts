/** Decides from the choice of tools whether a run offers `run_agent`, the tool that starts agents. */
import { readChoice } from "@localharness/tools";

export const agentTool = "run_agent";

/**
 * Returns the choice of tools without `run_agent`. That tool is created later, once the trust in the folder is known.
 */
export function withoutAgentTool(choice: string | readonly string[]): string | readonly string[] {
  if (typeof choice === "string") return choice === agentTool ? [] : choice;
  return choice.filter((name) => name !== agentTool && name !== `-${agentTool}`);
}

/**
 * Returns whether the run offers `run_agent`: `yes` if the choice includes it, `when-written` (only if there are agent
 * files) for the sets `minimal` and `standard`, otherwise `no`.
 */
export function wantsAgents(choice: string | readonly string[]): "yes" | "no" | "when-written" {
  const { named, left } = readChoice([choice].flat());
  if (left.includes(agentTool)) return "no";
  if (named.includes("all") || named.includes(agentTool)) return "yes";
  return named.includes("minimal") || named.includes("standard") ? "when-written" : "no";
}

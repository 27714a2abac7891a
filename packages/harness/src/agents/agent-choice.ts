/** Decides from the choice of tools whether a run offers `run_agent`, the tool that starts agents. */

export const agentTool = "run_agent";

/**
 * Returns the choice of tools without `run_agent`. That tool is created later, once the trust in the folder is known.
 */
export function withoutAgentTool(choice: string | readonly string[]): string | readonly string[] {
  if (typeof choice === "string") return choice === agentTool ? [] : choice;
  return choice.filter((name) => name !== agentTool);
}

/**
 * Returns whether the run offers `run_agent`: `yes` if the choice includes it, `when-written` (only if there are agent
 * files) for the sets `minimal` and `standard`, otherwise `no`.
 */
export function wantsAgents(choice: string | readonly string[]): "yes" | "no" | "when-written" {
  if (choice === "all" || [choice].flat().includes(agentTool)) return "yes";
  return choice === "minimal" || choice === "standard" ? "when-written" : "no";
}

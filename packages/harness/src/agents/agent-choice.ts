/** The tool that starts agents, among the choice of tools. */

export const agentTool = "run_agent";

/** The choice of tools without this one, which is made when it is known whether the folder is trusted. */
export function withoutAgentTool(choice: string | readonly string[]): string | readonly string[] {
  if (typeof choice === "string") return choice === agentTool ? [] : choice;
  return choice.filter((name) => name !== agentTool);
}

/** `yes` when it is asked for, `no` when the person has named other tools, `when-written` for the usual sets. */
export function wantsAgents(choice: string | readonly string[]): "yes" | "no" | "when-written" {
  if (choice === "all" || [choice].flat().includes(agentTool)) return "yes";
  return choice === "minimal" || choice === "standard" ? "when-written" : "no";
}

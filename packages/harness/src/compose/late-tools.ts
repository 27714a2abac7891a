/**
 * Decides from the choice of tools whether a run offers the tools that are made late, once the trust in the folder is known:
 * `run_agent`, which starts agents, and `read_skill`.
 */
import { readChoice } from "@localharness/tools";

export const agentTool = "run_agent";
export const skillTool = "read_skill";

export type LateTool = typeof agentTool | typeof skillTool;

const lateTools: readonly string[] = [agentTool, skillTool];

/** Returns true if a tool of this name is made late. */
export function isLate(name: string): name is LateTool {
  return lateTools.includes(name);
}

/** Returns the choice of tools without the tools that are made late. */
export function withoutLate(choice: string | readonly string[]): string | readonly string[] {
  if (typeof choice === "string") return isLate(choice) ? [] : choice;
  return choice.filter((name) => !isLate(name.replace(/^-/, "")));
}

/**
 * Returns whether the run offers the tool: `yes` if the choice includes it, `when-written` (only if there are files for it) for
 * the sets `minimal` and `standard`, otherwise `no`.
 */
export function wantsLate(tool: LateTool, choice: string | readonly string[]): "yes" | "no" | "when-written" {
  const { named, left } = readChoice([choice].flat());
  if (left.includes(tool)) return "no";
  if (named.includes("all") || named.includes(tool)) return "yes";
  return named.includes("minimal") || named.includes("standard") ? "when-written" : "no";
}

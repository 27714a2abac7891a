/** Adds the tool `run_agent` to the tools of a run. Called once it is known whether the folder is trusted. */
import type { ToolRegistry } from "@localharness/engine";
import type { SelectedModel } from "@localharness/models";
import type { Workspace } from "@localharness/tools";
import type { Settings } from "../config/settings.ts";
import type { Trust } from "../trust/settle-trust.ts";
import { agentTool, wantsAgents } from "./agent-choice.ts";

export interface AgentRun {
  readonly settings: Settings;
  readonly bench: {
    readonly files: Workspace;
    readonly allTools: ToolRegistry;
    cutResult(text: string): string;
  };
  /** The choice of tools: the name of a set, or tool names. */
  readonly choice: string | readonly string[];
  /** Returns the model for new sessions. */
  selected(): SelectedModel;
  /** Returns the tools for new sessions. */
  registry(): ToolRegistry;
  select(name: string): Promise<SelectedModel>;
}

/** Adds the tool, unless it was already added or the choice leaves it out. Resolves to warnings about agent files. */
export async function offerAgentsOnce(trust: Trust, run: AgentRun): Promise<readonly string[]> {
  const { bench, settings, choice } = run;
  if (wantsAgents(choice) === "no" || bench.allTools.find(agentTool)?.renamed === false) return [];
  const { createAgentModels } = await import("./agent-models.ts");
  const { offerAgents } = await import("./offer-agents.ts");
  const { selected, select } = run;
  const models = createAgentModels({ selected, select });
  const { tool, warnings } = await offerAgents({
    folder: settings.folder,
    workspace: bench.files,
    trust,
    choice,
    tools: bench.allTools.list(),
    openModel: (name) => models.open(name),
    cutReport: bench.cutResult,
  });
  if (tool !== undefined) for (const registry of [bench.allTools, run.registry()]) registry.register(tool);
  return warnings;
}

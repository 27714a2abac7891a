/** Adds the tool `run_agent` to the tools of a run. Called once it is known whether the folder is trusted. */
import type { Tool, ToolRegistry } from "@localharness/engine";
import type { SelectedModel } from "@localharness/models";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { agentTool, wantsLate } from "../../compose/late-tools.ts";
import type { Settings } from "../../config/settings.ts";
import type { Trust } from "../../permission/trust/settle-trust.ts";

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
  const isThere = bench.allTools.list().some(({ name }) => name === agentTool);
  if (isThere || wantsLate(agentTool, choice) === "no") return [];
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
  if (tool !== undefined) registerLate(run, tool);
  return warnings;
}

/** Adds a tool to all tools of the program, and to those of new sessions. */
export function registerLate({ bench, registry }: Pick<AgentRun, "bench" | "registry">, tool: Tool): void {
  for (const tools of [bench.allTools, registry()]) tools.register(tool);
}

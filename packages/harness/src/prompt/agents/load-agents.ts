/** Loads the agents: the built-in agent, the person's own agents, and the agents of a trusted project. */
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { isOfServers } from "../../mcp/tools-of-servers.ts";
import { findMarkdownFiles, type MarkdownFile } from "../markdown-files.ts";
import { type AgentFile, readAgentFile } from "./agent-file.ts";

export interface LoadedAgent extends AgentFile {
  readonly origin: "built-in" | "user" | "project";
}

export interface LoadedAgents {
  /** The agents, with unique names. The first is `general`: the built-in agent, or one of the person in its place. */
  readonly agents: readonly LoadedAgent[];
  /** Messages for the person about invalid files. */
  readonly warnings: readonly string[];
}

const general: LoadedAgent = {
  name: "general",
  description: "looks things up in the workspace and reports; it can only read",
  instructions: "Answer with what was asked for, with paths and line numbers, and nothing else.",
  origin: "built-in",
};

/** Loads all agents. Pass `workspace` only if it is trusted. Never rejects: an invalid file becomes a warning. */
export async function loadAgents(
  folder: string | undefined,
  workspace: Workspace | undefined,
): Promise<LoadedAgents> {
  const found = await findMarkdownFiles("agents", folder, workspace);
  const agents = new Map<string, LoadedAgent>([[general.name, general]]);
  const warnings: string[] = [];
  for (const { path, name, origin, text, warnings: hidden } of found) {
    warnings.push(...hidden);
    const read = text.ok ? readAgentFile(text.value, name) : text.problem;
    const problem = typeof read === "string" ? read : refusal(read, origin, agents.get(read.name));
    if (typeof read === "string" || problem !== undefined) {
      warnings.push(`the agent in ${path} is not used: ${problem}`);
    } else agents.set(read.name, { ...read, origin });
  }
  return { agents: [...agents.values()], warnings };
}

/**
 * Returns a warning for each tool name of an agent that is not in `known`. It is ignored when the agent runs, and is probably
 * a typing mistake. A tool of an MCP server is known only while the server runs, so there is no warning about its name.
 */
export function unknownTools({ name, tools = [] }: LoadedAgent, known: readonly string[]): readonly string[] {
  return tools
    .filter((tool) => !known.includes(tool) && !isOfServers(tool))
    .map((tool) => `the agent ${name} lists the tool "${tool}", which does not exist`);
}

/**
 * Returns the reason why an agent is refused; undefined if it is accepted. An agent of a project must not replace
 * another agent. It must not choose a model, because that would choose the server to which file contents are sent.
 */
function refusal(
  { name, model }: AgentFile,
  origin: MarkdownFile["origin"],
  known: LoadedAgent | undefined,
): string | undefined {
  if (known?.origin === origin) return `there is another one named "${name}"`;
  if (origin === "user") return undefined;
  if (known !== undefined) {
    return `there is an agent named "${name}" already, and the project's cannot replace it`;
  }
  return model === undefined ? undefined : 'the agents of a project cannot choose a "model"';
}

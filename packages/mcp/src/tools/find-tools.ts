/**
 * Defines `find_tools`, which searches the tools of servers if their descriptions would fill too much of the context
 * window.
 */

import { defineTool, type Tool, type ToolOutput } from "@localharness/engine";
import { countText } from "@localharness/protocol";
import { rankTools } from "./rank-tools.ts";

export const findToolsName = "find_tools";
const maxFound = 5;

/** Tools that models do not get until they have searched for them. */
export interface DeferredTools {
  /** Adds a tool. Returns a copy of it that is hidden until a search finds the tool. */
  add(tool: Tool): Tool;
  /** The tool that searches the hidden tools. */
  readonly search: Tool;
}

export function createDeferredTools(): DeferredTools {
  const all: Tool[] = [];
  const found = new Set<string>();
  return {
    add(tool) {
      all.push(tool);
      return { ...tool, hidden: () => !found.has(tool.name) };
    },
    search: defineTool({
      name: findToolsName,
      description:
        "Search more tools, of MCP servers, by words of their names and descriptions. The tools found can be called in the next step.",
      parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
      risk: "safe",
      readOnly: true,
      polls: true,
      execute: async ({ query }) => search(all, found, String(query)),
    }),
  };
}

function search(all: readonly Tool[], found: Set<string>, query: string): ToolOutput {
  const ranked = rankTools(all, query).slice(0, maxFound);
  for (const { name } of ranked) found.add(name);
  if (ranked.length > 0) return { ok: true, data: ranked.map(line).join("\n") };
  const names = [...new Set(all.map(({ name }) => name.split("__")[0]))].join(", ");
  return {
    ok: true,
    data: `No tool fits these words. There are ${countText(all.length, "tool")} of the servers ${names}.`,
  };
}

function line({ name, description }: Tool): string {
  return `${name}: ${description.split("\n")[0]?.slice(0, 200) ?? ""}`;
}

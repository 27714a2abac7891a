/** Finds the tool on offer that a model means by a name. */
import type { Repair, ToolSchema } from "../types.ts";

/** The tools on offer, by their names and by other spellings that mean only one tool. */
export interface ToolIndex {
  readonly tools: readonly ToolSchema[];
  /** Returns the tool with exactly this name. */
  exact(name: string): ToolSchema | undefined;
  /** Returns the only tool that the name means, apart from case, separators, quotes, namespace and suffix (`:0`, `<|x`). */
  resolve(name: string): ResolvedTool | undefined;
}

export interface ResolvedTool {
  readonly tool: ToolSchema;
  readonly repairs: readonly Repair[];
}

const namespaces = /^(?:functions?|tools?|default_api|api|mcp|assistant|namespace)[.:/]+/i;

/** Matches a name after namespaces that are not known: `repo_browser.read_file`. */
const anyNamespace = /^[\p{L}\p{N}_$@./:<>|-]+\.([^.\s]*)$/u;

export function toolIndex(tools: readonly ToolSchema[]): ToolIndex {
  const exact = new Map<string, ToolSchema>();
  const loose = new Map<string, ToolSchema | "several">();
  for (const tool of tools) {
    if (!exact.has(tool.name)) exact.set(tool.name, tool);
    const key = looseName(tool.name);
    const known = loose.get(key);
    loose.set(key, known && known !== tool ? "several" : tool);
  }
  return {
    tools,
    exact: (name) => exact.get(name),
    resolve(name) {
      const same = exact.get(name);
      if (same) return { tool: same, repairs: [] };
      for (const candidate of candidates(name)) {
        const found = exact.get(candidate) ?? loose.get(looseName(candidate));
        if (found && found !== "several") return { tool: found, repairs: ["tool-name"] };
      }
      return undefined;
    },
  };
}

/** Returns the name's letters and digits in lower case, so that `Read_File`, `read-file` and `readFile` are one name. */
function looseName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function candidates(name: string): string[] {
  const trimmed = name.trim().replace(/^["'`]+|(?<!["'`])["'`]+$/g, "");
  const bare = trimmed
    .replace(namespaces, "")
    .replace(/:\d+$/, "")
    .replace(/\(\s*\)$/, "");
  const channel = /^([\w.:/-]+)<\|\S*$/.exec(bare)?.[1] ?? bare;
  const last = anyNamespace.exec(channel)?.[1] ?? "";
  return [trimmed, bare, channel, last].filter((part) => looseName(part) !== "");
}

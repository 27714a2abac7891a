/** Finds the tool on offer that a model means by a name. */
import { toolNames } from "@localharness/schema";
import type { Repair, ToolSchema } from "../types.ts";

/** The tools on offer, by their names and by other spellings that mean only one tool. */
export interface ToolIndex {
  readonly tools: readonly ToolSchema[];
  /** Returns the tool with exactly this name. */
  exact(name: string): ToolSchema | undefined;
  /** Returns the only tool that the name means, in the spellings that `toolNames` knows. */
  resolve(name: string): ResolvedTool | undefined;
}

export interface ResolvedTool {
  readonly tool: ToolSchema;
  readonly repairs: readonly Repair[];
}

export function toolIndex(tools: readonly ToolSchema[]): ToolIndex {
  const names = toolNames(tools);
  return {
    tools,
    exact: names.exact,
    resolve(name) {
      const tool = names.resolve(name);
      return tool && { tool, repairs: tool.name === name ? [] : ["tool-name"] };
    },
  };
}

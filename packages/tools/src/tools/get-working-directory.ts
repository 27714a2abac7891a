/** `get_working_directory`: returns the path of the workspace. The tool is made from a typed function. */
import { type ToolContext as CallContext, functionTool, type Tool } from "@localharness/engine";
import type { ToolResources } from "../resources/resources.ts";
import type { BenchContext as ToolContext } from "../resources/tool-context.ts";
import { getWorkingDirectorySignature } from "./get-working-directory.signature.ts";

/**
 * The absolute path of the workspace.
 * @tool
 */
export function getWorkingDirectory(context: ToolContext): string {
  return context.resources.workspace.root;
}

export function workingDirectoryTool(resources: ToolResources): Tool {
  const run = (context: CallContext) => getWorkingDirectory({ ...context, resources });
  return functionTool(run, getWorkingDirectorySignature, {
    aliases: ["pwd", "cwd", "working_directory", "get_cwd", "current_directory", "get_current_directory"],
    risk: "safe",
    readOnly: true,
    fingerprint: async () => resources.workspace.root,
  });
}

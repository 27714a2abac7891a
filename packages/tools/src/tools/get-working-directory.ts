/** `get_working_directory`: returns the path of the workspace. The tool is made from a typed function. */
import { type ToolContext as CallContext, functionTool, type Tool } from "@localharness/engine";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { getWorkingDirectorySignature } from "./get-working-directory.signature.ts";

interface Parts {
  readonly workspace: Workspace;
}

type ToolContext = CallContext & Parts;

/**
 * The absolute path of the workspace.
 * @tool
 */
export function getWorkingDirectory(context: ToolContext): string {
  return context.workspace.root;
}

export function workingDirectoryTool({ workspace }: Parts): Tool {
  const run = (context: CallContext) => getWorkingDirectory({ ...context, workspace });
  return functionTool(run, getWorkingDirectorySignature, {
    aliases: ["pwd", "cwd", "working_directory", "get_cwd", "current_directory", "get_current_directory"],
    risk: "safe",
    readOnly: true,
    fingerprint: async () => workspace.root,
  });
}

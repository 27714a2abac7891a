/** `get_working_directory`: where the workspace is. */
import { defineTool, type Tool } from "@localharness/engine";
import type { ToolResources } from "../resources.ts";

export function getWorkingDirectory(resources: ToolResources): Tool {
  return defineTool({
    name: "get_working_directory",
    description: "The absolute path of the workspace.",
    parameters: { type: "object", properties: {} },
    aliases: ["pwd", "cwd", "working_directory", "get_cwd", "current_directory", "get_current_directory"],
    risk: "safe",
    readOnly: true,
    fingerprint: async () => resources.workspace.root,
    execute: async () => ({ ok: true, data: resources.workspace.root }),
  });
}

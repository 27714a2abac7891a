/** `get_current_time`: returns date and time. The tool is made from a typed function. */
import { type ToolContext as CallContext, functionTool, type Tool } from "@localharness/engine";
import { isoLocal } from "@localharness/workspace/show";
import type { ToolResources } from "../resources/resources.ts";
import type { BenchContext as ToolContext } from "../resources/tool-context.ts";
import { getCurrentTimeSignature } from "./get-current-time.signature.ts";

/**
 * The current date and time (ISO 8601).
 * @tool
 */
export function getCurrentTime(context: ToolContext): string {
  return isoLocal(new Date(context.resources.clock.now()));
}

export function currentTimeTool(resources: ToolResources): Tool {
  return functionTool(
    (context: CallContext) => getCurrentTime({ ...context, resources }),
    getCurrentTimeSignature,
    {
      aliases: ["current_time", "get_time", "time", "now", "get_date", "date"],
      risk: "safe",
      readOnly: true,
      polls: true,
    },
  );
}

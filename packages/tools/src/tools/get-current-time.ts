/** `get_current_time`: returns date and time. The tool is made from a typed function. */
import { type ToolContext as CallContext, type Clock, functionTool, type Tool } from "@localharness/engine";
import { isoLocal } from "@localharness/workspace/show";
import { getCurrentTimeSignature } from "./get-current-time.signature.ts";

interface Parts {
  readonly clock: Clock;
}

type ToolContext = CallContext & Parts;

/**
 * The current date and time (ISO 8601).
 * @tool
 */
export function getCurrentTime(context: ToolContext): string {
  return isoLocal(new Date(context.clock.now()));
}

export function currentTimeTool({ clock }: Parts): Tool {
  return functionTool(
    (context: CallContext) => getCurrentTime({ ...context, clock }),
    getCurrentTimeSignature,
    {
      aliases: ["current_time", "get_time", "time", "now", "get_date", "date"],
      risk: "safe",
      readOnly: true,
      polls: true,
    },
  );
}
